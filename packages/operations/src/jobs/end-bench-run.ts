import { outOfRowsOfRun, parseDocument, scenario } from '@flamegate/loadtest'
import { planResultFiles, queueResultFiles } from '../bench-runs/plan-result-files.ts'
import { judgeThresholds, type JudgedThreshold } from '../bench-runs/thresholds.ts'
import type { BenchPlan, BenchResult, BenchShard } from '../ports/index.ts'
import { hasPassed } from '../sla/has-passed.ts'
import { judgeSla, type SlaVerdictOnWire } from '../sla/judge-sla.ts'
import type { WatchHandler } from './job.ts'
import { areAllOver, watchBenchRun } from './watch-bench-run.ts'

/** When all agents are done: puts what was measured away, and says how the run ended. */
export const endBenchRun: WatchHandler = async (payload, deps, signal) => {
  const { caller, run, shards, now } = await watchBenchRun(payload, deps, signal, areAllOver)
  if (run === undefined) return
  const { benchRuns, series, tasks } = deps.stores
  await series.seal(caller, run.id, 'end')
  const plan = await benchRuns.findPlan(caller, run.id)
  // All has been told: its last seconds are not late any more, and count.
  const over = { ...run, endedAt: now }
  const judged = plan === undefined ? [] : await judgeThresholds({ caller, deps }, over, plan)
  const sla = plan === undefined ? [] : await judgeSla({ caller, deps }, over, plan)
  const hasFiles = await planResultFiles({ caller, deps }, run, plan)
  const words = [...rowsWords(plan, shards), ...thresholdWords(judged), ...slaWords(sla)].join(' ')
  const ended = await benchRuns.change(caller, run.id, (latest, _, endedAt) => {
    const [state, message] = outcomeOf(latest, shards, words)
    return {
      run: { state, message, endedAt },
      shards: [],
      events: [
        { at: endedAt.toISOString(), kind: 'state', words: message === '' ? state : `${state}: ${message}` },
      ],
      hasPassed: hasPassed(judged, sla),
    }
  })
  if (hasFiles) await queueResultFiles(deps.queue, payload)
  const { state = run.state, message = '' } = ended ?? {}
  await tasks.finish(
    caller,
    run.taskId,
    state === 'ERROR'
      ? { problem: { code: 'processing_failed', detail: message } }
      : { result: { bench_result_id: run.id, state } },
  )
}

function outcomeOf(
  { stopAskedAt, message }: BenchResult,
  shards: readonly BenchShard[],
  words: string,
): ['FINISHED' | 'ABORTED' | 'ERROR', string] {
  if (stopAskedAt !== null) return ['ABORTED', message]
  if (shards.some(({ state }) => state === 'DONE')) return ['FINISHED', words]
  return ['ERROR', `No agent got to its end. ${shards[0]?.message ?? ''}`.trim()]
}

/** Why it ended before its time. */
function rowsWords(plan: BenchPlan | undefined, shards: readonly BenchShard[]): string[] {
  if (plan === undefined) return []
  const variables = plan.variables.map((document) => parseDocument('variable', document))
  const parts = shards.filter(({ state }) => state === 'DONE')
  return outOfRowsOfRun(scenario.parse(plan.scenario), variables, parts)
}

function thresholdWords(judged: readonly JudgedThreshold[]): string[] {
  const breached = judged.filter(({ state }) => state === 'breached')
  if (judged.length === 0) return []
  if (judged.length === 1) return [`The threshold was ${breached.length === 0 ? 'kept' : 'breached'}.`]
  if (breached.length === 0) return [`All ${judged.length} thresholds were kept.`]
  return [`${breached.length} of ${judged.length} thresholds were breached.`]
}

function slaWords(sla: readonly SlaVerdictOnWire[]): string[] {
  const count = (severity: SlaVerdictOnWire['severity']) =>
    sla.filter((verdict) => verdict.severity === severity).length
  if (sla.length === 0) return []
  const bad = (['critical', 'warning'] as const).flatMap((severity) =>
    count(severity) === 0 ? [] : [`${count(severity)} ${severity}`],
  )
  return [`SLA: ${bad.length === 0 ? `all ${sla.length} passed` : `${bad.join(' and ')} of ${sla.length}`}.`]
}
