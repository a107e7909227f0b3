import type { Caller } from '@flamegate/contract'
import { scenario } from '@flamegate/loadtest'
import { dealsValues } from '../bench-runs/deals-values.ts'
import { decide, hasShardEnded } from '../bench-runs/decide.ts'
import { stopRun } from '../bench-runs/stop-run.ts'
import { tellRun } from '../bench-runs/tell-run.ts'
import { judgeThresholds } from '../bench-runs/thresholds.ts'
import type { Reading } from '../implement.ts'
import type { BenchJobPayload, BenchPlan, BenchResult, BenchShard, Watched as Look } from '../ports/index.ts'
import { workerCaller, type JobDeps } from './job.ts'

const everyMs = 1000
/** For so long a database that does not answer is waited for: the agents go on meanwhile. */
const patienceMs = 600_000

interface Watched {
  caller: Caller
  /** Undefined: the run is gone. */
  run: BenchResult | undefined
  shards: readonly BenchShard[]
  /** By the clock of the database, as all times of a run: those of workers may be wrong. */
  now: Date
}

/**
 * Sees to a run, every second: who is lost, when it begins, who takes over. Ends when `isOver` says so, or when the run has ended or
 * is gone. Any number of workers may do this to the same run: what they decide, they decide one after the other.
 */
export async function watchBenchRun(
  { workspaceId, benchResultId }: BenchJobPayload,
  deps: JobDeps,
  signal: AbortSignal,
  isOver: (shards: readonly BenchShard[]) => boolean,
): Promise<Watched> {
  const caller = workerCaller(workspaceId)
  const { benchRuns } = deps.stores
  let plan: BenchPlan | undefined
  let awaySinceMs: number | undefined
  for (;;) {
    // oxlint-disable no-await-in-loop -- one look after the other
    try {
      plan ??= await benchRuns.findPlan(caller, benchResultId)
      const policy = plan === undefined ? 'degrade' : scenario.parse(plan.scenario).on_agent_lost
      // Before it is asked: an answer of a database that has just come back may take longer than what lies between two looks.
      const awayMs = awaySinceMs === undefined ? undefined : performance.now() - awaySinceMs
      const look = await benchRuns.noteWatched(caller, benchResultId)
      const words = look === undefined ? undefined : wordsOfBreak(look, awayMs)
      if (words !== undefined) await tellRun({ caller, deps }, benchResultId, words)
      const run = await benchRuns.change(caller, benchResultId, (latest, shards, now) =>
        decide(latest, shards, policy, now, look?.since, plan !== undefined && dealsValues(plan)),
      )
      const shards = await benchRuns.listShards(caller, benchResultId)
      if (run !== undefined && plan !== undefined && look !== undefined) {
        await stopAtBreach({ caller, deps }, run, plan, look.now)
        await sealNowAndThen(caller, run, deps, look.now.getTime())
      }
      awaySinceMs = undefined
      if (run === undefined || run.endedAt !== null || isOver(shards)) {
        sealedAt.delete(benchResultId)
        judgedAt.delete(benchResultId)
        return { caller, run, shards, now: look?.now ?? new Date() }
      }
    } catch (error) {
      awaySinceMs ??= performance.now()
      if (performance.now() - awaySinceMs > patienceMs) throw error
    }
    signal.throwIfAborted()
    await waited(everyMs, signal)
    // oxlint-enable no-await-in-loop
  }
}

/** Who watches looks every second, and is late where a machine is busy. */
const breakMs = 5_000

/** What is told of a break in which nobody saw to a run: by the first one who does again. */
function wordsOfBreak({ pauseMs }: Look, awayMs: number | undefined): string | undefined {
  if (pauseMs === null) return undefined
  const seconds = Math.round(pauseMs / 1000)
  if (awayMs !== undefined && pauseMs >= awayMs)
    return `The database could not be reached for about ${seconds} s. The agents went on by themselves, and told afterwards what they measured.`
  if (pauseMs > breakMs)
    return `Nobody saw to this run for ${seconds} s, because a worker was gone, or the job queue had lost it. The agents went on by themselves.`
  return undefined
}

/** How often a run is held against the thresholds that may end it. */
const judgeEveryMs = 3_000
const judgedAt = new Map<string, number>()

async function stopAtBreach(reading: Reading, run: BenchResult, plan: BenchPlan, now: Date): Promise<void> {
  if (run.state !== 'RUNNING' || run.startedAt === null || run.startedAt > now) return
  if (now.getTime() - (judgedAt.get(run.id) ?? 0) < judgeEveryMs) return
  judgedAt.set(run.id, now.getTime())
  const known = grows(plan)
    ? ((await reading.deps.stores.benchRuns.findPlan(reading.caller, run.id)) ?? plan)
    : plan
  const judged = await judgeThresholds(reading, run, known, {
    isWanted: (threshold) => threshold.abort_on_breach,
    now,
  })
  const breach = judged.find(({ isAborting }) => isAborting)
  if (breach !== undefined)
    await stopRun(reading, run.id, `A threshold was breached: ${breach.text}; it is ${breach.value}.`)
}

/** What scripts of other engines do is found while they do it. */
function grows(plan: BenchPlan): boolean {
  return scenario.parse(plan.scenario).profiles.some(({ engine }) => engine.type !== 'flamegate')
}

/** Seconds become chunks a while after they have passed, so that stragglers are in them. */
const sealEveryMs = 30_000
const stragglersMs = 20_000
const sealedAt = new Map<string, number>()

async function sealNowAndThen(
  caller: Caller,
  run: BenchResult,
  { stores }: JobDeps,
  now: number,
): Promise<void> {
  const { startedAt } = run
  if (startedAt === null) return
  if (now - (sealedAt.get(run.id) ?? startedAt.getTime()) < sealEveryMs) return
  sealedAt.set(run.id, now)
  await stores.series.seal(caller, run.id, Math.floor((now - startedAt.getTime() - stragglersMs) / 1000))
}

export const areAllOver = (shards: readonly BenchShard[]) => shards.every(hasShardEnded)

/** So long, or until the process leaves. */
function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
