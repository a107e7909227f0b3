// A process that reads inputs one after the other. `watchReader` starts it, and sees from outside if it hangs or dies.
import { appendFileSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inputMsMax, kindOf, processBytesMax, readerOrder, type Finding } from './finding.ts'
import { makeInput, type Input } from './make-input.ts'
import { minimise } from './minimise.ts'
import { Originals } from './originals.ts'
import { outcomeOf, type Outcome } from './outcome-of.ts'
import { newTally, writeTally } from './tally.ts'

const minimiseMs = 5000
const order = readerOrder.parse(JSON.parse(process.argv[2] ?? ''))
const { format, seed, from, to, folder } = order
const originals = new Originals()
const tallyFile = openSync(join(folder, 'tally'), 'w')
const tally = newTally(from)
const refusals = new Set<string>()
const kinds = new Set<string>()

for (let number = from; number < to; number += 1) {
  tally.next = number
  writeTally(tallyFile, tally)
  // Decompressors let go of their buffers with the next turn, which comes after every import in the worker, too.
  await nextTurn()
  const input = makeInput(originals, { seed, format, number })
  const outcome = outcomeInTime(input)
  const peakBytes = process.resourceUsage().maxRSS * 1024
  const isTooLarge = peakBytes > processBytesMax && tally.peakBytes <= processBytesMax

  tally[outcome.isProfile ? 'profiles' : 'refused'] += 1
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
  if (problem !== undefined) tell(number, input, problem)
}
tally.next = to
writeTally(tallyFile, tally)
process.send?.({ refusals: [...refusals] })

/** Slow once may be the garbage of those before; slow three times is the input's doing. */
function outcomeInTime(input: Input): Outcome {
  let outcome = outcomeOf(input, format)
  for (let tries = 1; tries < 3 && outcome.cpuMs > inputMsMax; tries += 1) {
    const again = outcomeOf(input, format)
    if (again.cpuMs < outcome.cpuMs) outcome = again
  }
  if (outcome.cpuMs <= inputMsMax) return outcome
  return { ...outcome, problem: outcome.problem ?? `took ${Math.round(outcome.cpuMs)} ms` }
}

/** The first of each kind is made smaller; the rest is told with its number, from which it can be made again. */
function tell(number: number, input: Input, problem: string): void {
  const found: Finding = { format, number, problem, isTold: input.isTold, smallest: '' }
  const kind = kindOf(found)
  if (!kinds.has(kind)) {
    kinds.add(kind)
    const isBad = (bytes: Uint8Array) => {
      const again = outcomeOf({ ...input, bytes }, format).problem
      return again !== undefined && kindOf({ ...found, problem: again }) === kind
    }
    found.smallest = Buffer.from(minimise(input.bytes, isBad, minimiseMs)).toString('base64')
  }
  appendFileSync(join(folder, 'findings'), `${JSON.stringify(found)}\n`)
}
