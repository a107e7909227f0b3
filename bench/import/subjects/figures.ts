import { readFileSync } from 'node:fs'

/** What a subject found, to see whether it is the same. */
export interface Answer {
  entries: number
  /** Of all bodies that came back, as they are written. */
  bodyCharacters: number
}

/** What it took, from the file to the answer; the start of the process is not in it. */
export interface Figures {
  wallMs: number
  /** User and system time of all threads. */
  cpuMs: number
  /** The most memory that the process had, with its runtime. */
  peakMb: number
  answer: Answer
}

/** Does the work, and tells what it took as the last line of its output. */
export async function reportFigures(work: () => Answer | Promise<Answer>): Promise<void> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const answer = await work()
  const { user, system } = process.cpuUsage(before)
  const wallMs = performance.now() - startedAt
  const figures: Figures = { wallMs, cpuMs: (user + system) / 1000, peakMb: peakMb(), answer }
  console.log(`\n${JSON.stringify(figures)}`)
}

/** What getrusage gives includes, on Linux, the parent before the program was started. */
function peakMb(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
}
