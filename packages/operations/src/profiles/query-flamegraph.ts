import { operations, Problem, type InputOf } from '@flamegate/contract'
import { formatValue, renderFlameGraphSummary } from '@flamegate/profiles'
import { implement, type CallContext } from '../implement.ts'
import type { Profile, Result } from '../ports/index.ts'
import { getProfile, getRun } from '../targets.ts'
import { ask } from './asking.ts'
import { findingFunctions } from './finding-functions.ts'
import { mostFittingFirst, profilesOfRun } from './of-run.ts'
import { entryOnWire, shareOnWire } from './shares-on-wire.ts'

type Input = InputOf<typeof operations.queryFlamegraph>

export const queryFlamegraph = implement(operations.queryFlamegraph)(async (input, context) => {
  const { profile: record, result } = await chooseProfile(input, context)
  const summary = await findingFunctions(
    ask(context, record, input, 'summary', {
      rootFunctionName: input.root_function_name,
      depth: input.depth,
      minPercent: input.min_percent,
      maxEntries: input.max_entries,
    }),
  )
  const benchmarkName = result?.name ?? null
  return {
    profile_id: record.id,
    run_id: record.runId,
    benchmark_name: benchmarkName,
    sample_type: summary.sampleType,
    unit: summary.unit,
    total_value: summary.totalValue,
    root_function_name: summary.rootFunctionName ?? null,
    hot_spots: summary.hotSpots.map((share) => shareOnWire(share, record.source)),
    expensive_calls: summary.expensiveCalls.map((share) => shareOnWire(share, record.source)),
    call_tree: summary.callTree.map((entry) => entryOnWire(entry, record.source)),
    truncated: summary.truncated,
    report: renderFlameGraphSummary(summary, {
      ...(benchmarkName === null ? {} : { benchmark_name: benchmarkName }),
      ...(result === undefined ? {} : { runner_mode: runnerMode(result.instrument) }),
      [summary.rootFunctionName === undefined ? 'benchmark_total_time' : 'root_total_time']: formatValue(
        summary.totalValue,
        summary.unit,
      ),
      ...(record.runId === null ? {} : { run_id: record.runId }),
      profile_id: record.id,
      ...(input.labels === undefined ? {} : { labels: input.labels.join(', ') }),
      ...(input.from_ms === undefined && input.to_ms === undefined
        ? {}
        : { time_ms: `${input.from_ms ?? 0}–${input.to_ms ?? 'end'}` }),
    }),
  }
})

/** The profile named, or the newest of the run's benchmark (CPU before others). */
async function chooseProfile(
  input: Input,
  context: CallContext,
): Promise<{ profile: Profile; result?: Result }> {
  const { caller, deps } = context
  if (input.profile_id !== undefined) {
    const profile = await getProfile(context, input.profile_id)
    const result =
      profile.runId === null || profile.benchmarkId === null
        ? undefined
        : await deps.stores.runs.findResult(caller, profile.runId, profile.benchmarkId)
    return result === undefined ? { profile } : { profile, result }
  }
  if (input.run_id === undefined) {
    throw new Problem('invalid_input', 'Say what to look at: profile_id, or run_id with benchmark.', {
      errors: [{ field: 'profile_id', message: 'Give this, or run_id.' }],
    })
  }
  const run = await getRun(context, input.run_id)
  const result =
    input.benchmark === undefined
      ? undefined
      : await deps.stores.runs.findResult(caller, run.id, input.benchmark)
  if (input.benchmark !== undefined && result === undefined) {
    throw new Problem('benchmark_not_found', `Run ${run.id} has no benchmark ${input.benchmark}.`, {
      hint: [operations.getRun, 'shows the ones it has'],
    })
  }
  const profiles = await profilesOfRun(context, run, result?.benchmarkId)
  const [profile] = mostFittingFirst(profiles, result?.instrument)
  if (profile === undefined) {
    throw new Problem(
      'no_profile',
      `Run ${run.id} has no profile${result === undefined ? '' : ' of this benchmark'}.`,
      { hint: [operations.getRun, 'shows which benchmarks have one'] },
    )
  }
  const benchmarks = new Set(profiles.map((each) => each.benchmarkId))
  if (result === undefined && benchmarks.size > 1) {
    throw new Problem(
      'invalid_input',
      `Run ${run.id} has profiles of ${benchmarks.size} benchmarks: say which.`,
      {
        hint: [operations.getRun, 'shows them'],
        errors: [{ field: 'benchmark', message: 'Required, because the run has several profiles.' }],
      },
    )
  }
  if (result !== undefined) return { profile, result }
  const only =
    profile.benchmarkId === null
      ? undefined
      : await deps.stores.runs.findResult(caller, run.id, profile.benchmarkId)
  return only === undefined ? { profile } : { profile, result: only }
}

function runnerMode(instrument: string): string {
  return instrument === 'walltime' ? 'WallTime' : instrument
}
