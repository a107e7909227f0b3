import { newId } from '@flamegate/contract'
import { nextFirings, type Schedule } from '@flamegate/loadtest'
import type { Firing, ScheduleChange, StoredSchedule } from '../ports/index.ts'

/** What comes later than this was missed: nothing was there to start it in time. */
const lateMs = 60_000
/** When a firing waits for the run before, that is looked at anew after this. */
const lookAgainMs = 5_000
/** So many firings are told of. */
const firingsKept = 20
/** No more in a row are counted: working one out takes a part of a millisecond. */
const countMax = 1_000

/**
 * What is to become of a schedule now. When a run is to start, its newest firing is STARTING, with the id that the run is to get;
 * nothing else is decided until `settled` says how that went.
 * @param runningId The run that it started last, when that has not ended
 */
export function decideFiring(
  schedule: Pick<
    StoredSchedule,
    'document' | 'isEnabled' | 'nextRunAt' | 'waitingSince' | 'startingSince' | 'firings'
  >,
  runningId: string | undefined,
  now: Date,
): ScheduleChange {
  const { document, isEnabled, nextRunAt, waitingSince, startingSince, firings } = schedule
  if (!isEnabled || nextRunAt === null || nextRunAt > now || startingSince !== null) return {}
  const isWaiting = waitingSince !== null
  if (isWaiting && runningId !== undefined) return { nextRunAt: new Date(now.getTime() + lookAgainMs) }

  const due = dueUntil(document, waitingSince ?? nextRunAt, now)
  const told = (outcome: Firing['outcome'], of: readonly Date[], message: string): Firing[] =>
    of[0] === undefined
      ? []
      : [
          {
            due_at: of[0].toISOString(),
            at: now.toISOString(),
            outcome,
            message,
            count: of.length,
            bench_result_id: null,
          },
        ]
  const change = (...news: Firing[][]): ScheduleChange => ({
    nextRunAt: nextFirings(document, now, 1)[0] ?? null,
    waitingSince: null,
    firings: joined([...news.flat(), ...firings]).slice(0, firingsKept),
  })
  const start = (at: Date, message: string, ...others: Firing[][]): ScheduleChange => {
    const starting = told('STARTING', [at], message).map((firing) => ({
      ...firing,
      bench_result_id: newId('benchResult', now.getTime()),
    }))
    return { ...change(starting, ...others), startingSince: now }
  }

  if (isWaiting)
    return start(
      waitingSince,
      'It waited until the run before had ended.',
      told('SKIPPED', due.slice(1), 'One waited already.'),
    )
  const [latest = nextRunAt] = due.slice(-1)
  const isOverdue = now.getTime() - latest.getTime() > lateMs
  const words = 'Nothing was there to start it at that time.'
  if (isOverdue && document.when_overdue === 'skip') return change(told('MISSED', due, words))
  const missed = told('MISSED', due.slice(0, -1), words)
  if (runningId !== undefined) {
    if (document.overlap === 'wait')
      return {
        ...change(missed),
        waitingSince: latest,
        nextRunAt: new Date(now.getTime() + lookAgainMs),
      }
    return change(told('SKIPPED', [latest], `The run before, ${runningId}, had not ended.`), missed)
  }
  return start(latest, isOverdue ? `It is late: ${lowerFirst(words)}` : '', missed)
}

/** What was skipped for the same run is told of once: the run itself must not be lost among it. */
function joined(firings: readonly Firing[]): Firing[] {
  const [newest, before, ...older] = firings
  if (newest?.outcome !== 'SKIPPED' || before?.outcome !== 'SKIPPED' || newest.message !== before.message)
    return [...firings]
  return [{ ...before, at: newest.at, count: before.count + newest.count }, ...older]
}

/** How the start of a run went. */
export function settled(
  { firings }: Pick<StoredSchedule, 'firings'>,
  benchResultId: string,
  failure: string | undefined,
): ScheduleChange {
  return {
    startingSince: null,
    firings: firings.map((firing): Firing => {
      if (firing.bench_result_id !== benchResultId || firing.outcome !== 'STARTING') return firing
      return failure === undefined
        ? { ...firing, outcome: 'STARTED' }
        : { ...firing, outcome: 'FAILED', message: failure, bench_result_id: null }
    }),
  }
}

/** The firing of which the run is being started. */
export function startingFiring({
  firings,
}: Pick<StoredSchedule, 'firings'>): (Firing & { bench_result_id: string }) | undefined {
  for (const firing of firings)
    if (firing.outcome === 'STARTING' && firing.bench_result_id !== null)
      return { ...firing, bench_result_id: firing.bench_result_id }
  return undefined
}

/** The first, and all that came after it; of very many only the first ones, and those that are in time. */
function dueUntil(document: Schedule, first: Date, now: Date): Date[] {
  const due = [first]
  for (;;) {
    const [last = first] = due.slice(-1)
    const isEnough = due.length >= countMax
    const after = isEnough ? new Date(Math.max(last.getTime(), now.getTime() - lateMs)) : last
    const more = nextFirings(document, after, 10)
    due.push(...more.filter((at) => at <= now))
    if (isEnough || more.length < 10 || more.some((at) => at > now)) return due
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
