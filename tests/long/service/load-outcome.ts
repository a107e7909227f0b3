import { changeInTurns, type ChangeInTurns } from '@flamegate/mcp-profiling/judgement'
import type { MemoryTrend } from './memory.ts'
import type { NoiseCounts } from './noise.ts'
import { seenOn, table } from './page.ts'
import { phaseKinds, type PhaseKind, type ProcessorShare } from './processor.ts'
import { median, percentile } from './statistics.ts'
import type { Call } from './workload.ts'

interface ToolRow {
  tool: string
  count: number
  p50Ms: number
  p99Ms: number
  mostMs: number
}

/** How long quiet tenants waited in phases of each kind: the p99 of each phase, in milliseconds. */
type Fairness = Record<PhaseKind, number[]>

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
  /** Without the beginnings of phases, which is judged, and of whole phases, which is told beside it. */
  fairness: Fairness
  wholeFairness: Fairness
  /** What the noisy tenant sends besides. */
  perSecond: Record<PhaseKind, number>
  noise: NoiseCounts
  acknowledged: number
  lost: string[]
  /** The load test that went on all the while. */
  loadTest: { state: string; message: string }
}

/**
 * By how much it may move the p99 of the others that a tenant sends more than it may. What it may is work as that of others, and is
 * felt as more tenants would be: by how much is told, and depends on the machine.
 */
const movedMostPercent = 20
/** Shorter runs say nothing of memory and of fairness. */
const judgedMinutes = 8

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

/** Within and beyond in quick turns, for as many pairs as the time has; a calm one now and then, which says what both are felt as. */
const turns: readonly PhaseKind[] = ['within', 'beyond', 'calm', 'within', 'beyond', 'within', 'beyond']

/** Of the phase with that number, from 0 on; undefined of the first, in which caches fill. */
export function phaseKindOf(phase: number): PhaseKind | undefined {
  return phase === 0 ? undefined : turns[(phase - 1) % turns.length]
}

/** In which a tenant that goes beyond its limit uses up the burst that it may have first (250 calls, all of them answered, at 60 a second). */
export const burstShare = 1 / 4

/** @param withoutShare of each phase, at its beginning */
export function fairnessOf(
  calls: readonly Call[],
  startedAtMs: number,
  phaseMs: number,
  withoutShare: number,
): Fairness {
  const fairness: Fairness = { calm: [], within: [], beyond: [] }
  const judged = calls.filter((call) => (call.startedAtMs - startedAtMs) % phaseMs >= phaseMs * withoutShare)
  const byPhase = Map.groupBy(judged, (call) => Math.floor((call.startedAtMs - startedAtMs) / phaseMs))
  for (const [phase, of] of byPhase) {
    const kind = phaseKindOf(phase)
    // What began after the last one is no whole phase.
    if (kind === undefined || of.length < 50) continue
    const p99Ms = percentile(
      of.map(({ durationMs }) => durationMs),
      0.99,
    )
    fairness[kind].push(p99Ms)
  }
  return fairness
}

/**
 * By how much what a tenant sends beyond its limit moves the p99 of the others: each phase in which it does beside the one before it, in
 * which it does not. Undefined with fewer than five pairs.
 */
const movedBy = ({ beyond, within }: Fairness): ChangeInTurns | undefined =>
  changeInTurns(within, beyond, 0.95)
const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(Math.round(value))} %`
const inWords = (moved: ChangeInTurns | undefined) =>
  moved === undefined
    ? 'too few to tell'
    : `**${signed(moved.percent)}** (${signed(moved.interval[0])} to ${signed(moved.interval[1])}, 95 %)`
const ms = (value: number) => Math.round(value)
const mib = (value: number) => Number(value.toFixed(1))
const list = (values: readonly number[]) => values.map((value) => `${ms(value)} ms`).join(', ')

/** What the page tells, and what is not as it must be. */
export function loadLines(outcome: LoadOutcome): { lines: string[]; wrong: string[] } {
  const { minutes, fairness, wholeFairness, noise, memory, errors, lost, loadTest } = outcome
  const wrong: string[] = []
  if (errors.length > 0) wrong.push(`${errors.length} calls were not answered.`)
  if (lost.length > 0) wrong.push(`${lost.length} acknowledged writes are not there.`)
  const moved = movedBy(fairness)
  const felt = median(fairness.within) / median(fairness.calm)
  const isJudged = minutes >= judgedMinutes
  if (isJudged && !(moved !== undefined && moved.percent <= movedMostPercent))
    wrong.push(
      `What a tenant sent beyond its limit moved the p99 of the others: ${inWords(moved).replaceAll('*', '')}.`,
    )
  if (noise.failed > 0)
    wrong.push(`${noise.failed} calls of the noisy tenant failed: ${noise.reasons.join('; ')}`)
  const growing = memory.filter(({ isFlat }) => !isFlat)
  if (isJudged && growing.length > 0)
    wrong.push(`Memory grows: ${growing.map(({ name }) => name).join(', ')}.`)
  if (!['RUNNING', 'STOPPING', 'FINISHED'].includes(loadTest.state))
    wrong.push(`The load test beside it is ${loadTest.state}: ${loadTest.message}`)

  const isShown = moved !== undefined && moved.interval[1] <= movedMostPercent
  const movedWords =
    `What it sent beyond its limit moved that by ${inWords(moved)}, each phase beside the one before it; ${signed(movedMostPercent)} is the most that it may` +
    `${isShown ? ', which is shown' : ', which these do not show for sure'}. ` +
    `All that it may have moved the median to ${felt.toFixed(2)} of the calm ones: that is what so many more calls are felt as on this machine, whosever they are.`
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
    `**A noisy tenant.** Phases of half a minute take turns. In one, a tenant sends ${outcome.perSecond.within} calls a second besides, all that it may; in one ` +
      `${outcome.perSecond.beyond}, more than twice its limit; in one none. ${noise.answered} of these were answered, ${noise.limited} refused for being too many, ${noise.failed} failed. ` +
      `The p99 of all calls of the others, without the first quarter of each phase, in which bursts are used that anybody may have, beyond: ${list(fairness.beyond)}; within: ${list(fairness.within)}; calm: ${list(fairness.calm)}. ${movedWords} ` +
      `Of whole phases, bursts and all, beyond: ${list(wholeFairness.beyond)}; within: ${list(wholeFairness.within)}; calm: ${list(wholeFairness.calm)}: ${inWords(movedBy(wholeFairness))}.`,
    '',
    '**Processor**, in percent of one core, in these phases:',
    '',
    ...table(
      ['process', ...phaseKinds],
      outcome.processor.map(({ name, percent }) => [name, ...phaseKinds.map((kind) => ms(percent[kind]))]),
    ),
    '',
    '**Memory** over the later two thirds of the time, in MiB: by a straight line through a sample every five seconds; and what was left of our processes when their garbage was ' +
      'collected, when that time began and when it ended, of all and of what their JavaScript holds:',
    '',
    ...table(
      ['process', 'from', 'to', 'a minute', 'left of all', 'left of the heap', 'flat'],
      memory.map(({ name, beganMib, endedMib, mibPerMinute, collected, isFlat }) => [
        name,
        mib(beganMib),
        mib(endedMib),
        mib(mibPerMinute),
        collected === undefined
          ? ''
          : `${mib(collected.began.residentMib)} → ${mib(collected.ended.residentMib)}`,
        collected === undefined ? '' : `${mib(collected.began.liveMib)} → ${mib(collected.ended.liveMib)}`,
        isFlat ? 'yes' : '**no**',
      ]),
    ),
    ...(isJudged ? [] : ['', `In less than ${judgedMinutes} minutes neither is judged.`]),
    ...wrong.map((words) => `\n**Wrong:** ${words}`),
  ]
  return { lines, wrong }
}
