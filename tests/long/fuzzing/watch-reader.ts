import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finding, readerReport, type Finding, type ReaderOrder } from './finding.ts'
import { minimise } from './minimise.ts'
import { Random, seedOf } from './random.ts'
import type { Originals } from './originals.ts'
import type { Subject } from './subject.ts'
import { readTally, type Tally } from './tally.ts'

/** What has to be known of a subject to watch its readers. */
type Watchable = Pick<Subject, 'folder' | 'makeInput'>

/** What came of a range of inputs. */
export interface Watched {
  tally: Tally
  findings: Finding[]
  refusals: string[]
}

/** Three readings of 2 seconds of processor time, on a machine that has other things to do, end well before this. */
const hangsAfterMs = 120_000
const lookEveryMs = 500
const minimiseMs = 60_000
const heapLimit = '--max-old-space-size=512'

/**
 * Reads a range of inputs in a process of its own. An input that it hangs on or dies of is a finding, and ends the range:
 * `tally.next` is then one after it.
 */
export async function watchReader(
  subject: Watchable,
  order: ReaderOrder,
  originals: Originals,
): Promise<Watched> {
  const { folder } = order
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const tallyPath = join(folder, 'tally')
  const reader = fork(join(subject.folder, 'reader.ts'), [JSON.stringify(order)], {
    execArgv: [heapLimit],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  reader.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-20_000)))
  let refusals: string[] = []
  reader.on('message', (message) => ({ refusals } = readerReport.parse(message)))

  let at = -1
  // Looks, and not a clock: a machine may sleep, or a run be stopped and go on later.
  let looks = 0
  const watch = setInterval(() => {
    const next = existsSync(tallyPath) ? (readTally(tallyPath)?.next ?? -1) : -1
    if (next !== at) {
      at = next
      looks = 0
    } else if (++looks > hangsAfterMs / lookEveryMs) reader.kill('SIGKILL')
  }, lookEveryMs)
  await once(reader, 'close')
  clearInterval(watch)

  const tally = existsSync(tallyPath) ? readTally(tallyPath) : undefined
  if (tally === undefined) throw new Error(`The reader of ${order.format} did not begin:\n${said}`)
  const findings = findingsIn(join(folder, 'findings'))
  if (tally.next < order.to) {
    const problem =
      reader.signalCode === 'SIGKILL'
        ? `nothing for ${hangsAfterMs / 1000} s`
        : `the process ended: ${/FATAL ERROR[^\n]*|\w*Error: [^\n]*/.exec(said)?.[0] ?? reader.signalCode ?? reader.exitCode}`
    findings.push(await deadly(subject, order, tally.next, problem, originals))
    tally.next += 1
  }
  return { tally, findings, refusals }
}

function findingsIn(path: string): Finding[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => finding.parse(JSON.parse(line)))
}

/** What a process hangs on or dies of is made smaller in processes of their own. */
async function deadly(
  subject: Watchable,
  { seed, format, folder }: ReaderOrder,
  number: number,
  problem: string,
  originals: Originals,
): Promise<Finding> {
  const random = new Random(seedOf(`${seed} ${format} ${number}`))
  const { bytes, how } = subject.makeInput(originals, format, random)
  const path = join(folder, 'smaller')
  const isBad = (smaller: Uint8Array) => {
    writeFileSync(path, smaller)
    const args = [heapLimit, join(subject.folder, 'read-one.ts'), path, format, String(seed), String(number)]
    return spawnSync(process.execPath, args, { timeout: 5000, killSignal: 'SIGKILL' }).status !== 0
  }
  const smallest = isBad(bytes) ? await minimise(bytes, isBad, minimiseMs) : bytes
  return { format, number, problem, how, smallest: Buffer.from(smallest).toString('base64') }
}
