import type { MemoryTrend } from './memory.ts'
import type { NoiseCounts } from './noise.ts'
import { seenOn, table } from './page.ts'
import type { ProcessorShare } from './processor.ts'
import { median, percentile } from './statistics.ts'
import type { Call } from './workload.ts'

interface ToolRow {
  tool: string
  count: number
  p50Ms: number
  p99Ms: number
  mostMs: number
}

/** How long quiet tenants waited while the noisy one was calm, and while it was not: the p99 of each minute. */
interface Fairness {
  calmMs: number[]
  noisyMs: number[]
}

export interface LoadOutcome {
  loadBefore: number
  minutes: number
  clientCount: number
  tenantCount: number
  balancer: string
  skipped: string[]
  callCount: number
  errors: string[]
  tools: ToolRow[]
  memory: MemoryTrend[]
  processor: ProcessorShare[]
  fairness: Fairness
  noisyPerSecond: number
  noise: NoiseCounts
  acknowledged: number
  lost: string[]
  /** The load test that went on all the while. */
  loadTest: { state: string; message: string }
}

/** By how much a noisy tenant may move the p99 of the others. */
const movedMost = 1.2
/** Shorter runs say nothing of memory and of fairness. */
const judgedMinutes = 5

export function toolRows(calls: readonly Call[]): ToolRow[] {
  const byTool = Map.groupBy(
    calls.filter(({ failure }) => failure === undefined),
    ({ tool }) => tool,
  )
  return [...byTool]
    .map(([tool, of]) => {
      const durations = of.map(({ durationMs }) => durationMs)
      return {
        tool,
        count: of.length,
        p50Ms: median(durations),
        p99Ms: percentile(durations, 0.99),
        mostMs: Math.max(...durations),
      }
    })
    .toSorted((a, b) => b.count - a.count)
}

/** Phases take turns, calm ones first; the first of all is left out, because caches fill in it. */
export function fairnessOf(calls: readonly Call[], startedAtMs: number, phaseMs: number): Fairness {
  const fairness: Fairness = { calmMs: [], noisyMs: [] }
  const byPhase = Map.groupBy(calls, (call) => Math.floor((call.startedAtMs - startedAtMs) / phaseMs))
  for (const [phase, of] of byPhase) {
    // What began after the last one is no whole phase.
    if (phase === 0 || of.length < 50) continue
    const p99Ms = percentile(
      of.map(({ durationMs }) => durationMs),
      0.99,
    )
    fairness[phase % 2 === 1 ? 'noisyMs' : 'calmMs'].push(p99Ms)
  }
  return fairness
}

const ms = (value: number) => Math.round(value)
const mib = (value: number) => Number(value.toFixed(1))
const list = (values: readonly number[]) => values.map((value) => `${ms(value)} ms`).join(', ')

/** What the page tells, and what is not as it must be. */
export function loadLines(outcome: LoadOutcome): { lines: string[]; wrong: string[] } {
  const { minutes, fairness, noise, memory, errors, lost, loadTest } = outcome
  const wrong: string[] = []
  if (errors.length > 0) wrong.push(`${errors.length} calls were not answered.`)
  if (lost.length > 0) wrong.push(`${lost.length} acknowledged writes are not there.`)
  const moved = median(fairness.noisyMs) / median(fairness.calmMs)
  const isJudged = minutes >= judgedMinutes
  if (isJudged && !(moved <= movedMost))
    wrong.push(`The noisy tenant moved the p99 of the others to ${moved.toFixed(2)} times.`)
  if (noise.failed > 0)
    wrong.push(`${noise.failed} calls of the noisy tenant failed: ${noise.reasons.join('; ')}`)
  const growing = memory.filter(({ isFlat }) => !isFlat)
  if (isJudged && growing.length > 0)
    wrong.push(`Memory grows: ${growing.map(({ name }) => name).join(', ')}.`)
  if (!['RUNNING', 'STOPPING', 'FINISHED'].includes(loadTest.state))
    wrong.push(`The load test beside it is ${loadTest.state}: ${loadTest.message}`)

  const movedWords = Number.isNaN(moved)
    ? 'These are too few to tell more.'
    : `The median of these moved to **${moved.toFixed(2)}** of what it was; ${movedMost} is the most that it may.`
  const lines = [
    seenOn(outcome.loadBefore),
    '',
    `${outcome.clientCount} clients of the official SDK, logged in by OAuth, of ${outcome.tenantCount} workspaces, for ${minutes} minutes, behind ${outcome.balancer}: ` +
      `${outcome.callCount} calls, **${errors.length} not answered**. Of ${outcome.acknowledged} acknowledged writes ${lost.length} could not be read back. ` +
      `The load test that an agent made all the while was ${loadTest.state} in the end.`,
    ...outcome.skipped.map((what) => `\nSkipped: ${what}.`),
    '',
    ...table(
      ['tool', 'calls', 'p50, ms', 'p99, ms', 'most, ms'],
      outcome.tools.map(({ tool, count, p50Ms, p99Ms, mostMs }) => [
        `\`${tool}\``,
        count,
        ms(p50Ms),
        ms(p99Ms),
        ms(mostMs),
      ]),
    ),
    '',
    `**A noisy tenant.** In every second phase one tenant sent ${outcome.noisyPerSecond} calls a second besides, more than twice its limit: ${noise.answered} were answered, ` +
      `${noise.limited} refused for being too many, ${noise.failed} failed. The p99 of all calls of the others in its phases: ${list(fairness.noisyMs)}; ` +
      `in the calm ones: ${list(fairness.calmMs)}. ${movedWords}`,
    '',
    '**Processor**, in percent of one core, while it was calm and while it was not:',
    '',
    ...table(
      ['process', 'calm', 'noisy'],
      outcome.processor.map(({ name, calmPercent, noisyPercent }) => [
        name,
        ms(calmPercent),
        ms(noisyPercent),
      ]),
    ),
    '',
    '**Memory** over the later two thirds of the time, by a straight line through a sample every five seconds:',
    '',
    ...table(
      ['process', 'from, MiB', 'to, MiB', 'MiB a minute', 'flat'],
      memory.map(({ name, beganMib, endedMib, mibPerMinute, isFlat }) => [
        name,
        mib(beganMib),
        mib(endedMib),
        mib(mibPerMinute),
        isFlat ? 'yes' : '**no**',
      ]),
    ),
    ...(isJudged ? [] : ['', `In less than ${judgedMinutes} minutes neither is judged.`]),
    ...wrong.map((words) => `\n**Wrong:** ${words}`),
  ]
  return { lines, wrong }
}
