import { appendFileSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { kindOf, readerOrder, type Finding } from './finding.ts'
import { outcomeInTime } from './measured.ts'
import { minimise } from './minimise.ts'
import { Random, seedOf } from './random.ts'
import type { Input, Subject } from './subject.ts'
import { newTally, writeTally } from './tally.ts'

const minimiseMs = 5000

/** All of a process that reads inputs one after the other; `watchReader` starts it, and sees from outside if it hangs or dies. */
export async function readInputs<Each extends Input>(subject: Subject<Each>): Promise<void> {
  const { format, seed, from, to, folder } = readerOrder.parse(JSON.parse(process.argv[2] ?? ''))
  const originals = subject.originals()
  const tallyFile = openSync(join(folder, 'tally'), 'w')
  const tally = newTally(from)
  const refusals = new Set<string>()
  const kinds = new Set<string>()
  const processBytesMax = subject.processBytesMax(peakBytesOfProcess())

  for (let number = from; number < to; number += 1) {
    tally.next = number
    writeTally(tallyFile, tally)
    // Decompressors let go of their buffers with the next turn, which comes after every import in the worker, too.
    await nextTurn()
    const input = subject.makeInput(originals, format, new Random(seedOf(`${seed} ${format} ${number}`)))
    const outcome = await outcomeInTime(subject, input, format)
    const peakBytes = peakBytesOfProcess()
    const isTooLarge = peakBytes > processBytesMax && tally.peakBytes <= processBytesMax

    tally[outcome.isRead ? 'read' : 'refused'] += 1
    tally.largestBytes = Math.max(tally.largestBytes, input.bytes.length)
    if (outcome.cpuMs > tally.slowestMs) {
      tally.slowestMs = outcome.cpuMs
      tally.slowestNumber = number
    }
    if (peakBytes > tally.peakBytes) {
      tally.peakBytes = peakBytes
      tally.peakNumber = number
    }
    if (outcome.refusal !== undefined) refusals.add(outcome.refusal)
    const problem = outcome.problem ?? (isTooLarge ? 'more memory than the limit' : undefined)
    if (problem !== undefined) await tell(number, input, problem)
  }
  tally.next = to
  writeTally(tallyFile, tally)
  process.send?.({ refusals: [...refusals] })

  /** The first of each kind is made smaller; the rest is told with its number, from which it can be made again. */
  async function tell(number: number, input: Each, problem: string): Promise<void> {
    const found: Finding = { format, number, problem, how: input.how, smallest: '' }
    const kind = kindOf(found)
    if (!kinds.has(kind)) {
      kinds.add(kind)
      const isBad = async (bytes: Uint8Array) => {
        const again = (await subject.outcomeOf({ ...input, bytes }, format)).problem
        return again !== undefined && kindOf({ ...found, problem: again }) === kind
      }
      found.smallest = Buffer.from(await minimise(input.bytes, isBad, minimiseMs)).toString('base64')
    }
    appendFileSync(join(folder, 'findings'), `${JSON.stringify(found)}\n`)
  }
}

function peakBytesOfProcess(): number {
  return process.resourceUsage().maxRSS * 1024
}
