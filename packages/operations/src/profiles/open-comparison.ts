import { Problem, type operations, type InputOf, type OutputOf } from '@flamegate/contract'
import type { Normalization, QuestionAnswer, QuestionParams } from '@flamegate/profiles'
import { requireCompleted } from '../benchmarks/compare-two-runs.ts'
import type { CallContext } from '../implement.ts'
import type { Profile, Result, Run } from '../ports/index.ts'
import { getRun, isRunId } from '../targets.ts'
import { askSeveral } from './asking.ts'
import { comparing } from './comparing.ts'
import { profileOfResult, resultIn } from './of-benchmark.ts'
import { openProfiles } from './open-profiles.ts'
import { takenAt } from './taken-at.ts'

type Input = Pick<
  InputOf<typeof operations.compareProfiles>,
  'base' | 'head' | 'benchmark' | 'sample_type' | 'normalize'
>
type Basis = Pick<
  OutputOf<typeof operations.compareProfiles>,
  | 'base'
  | 'head'
  | 'benchmark'
  | 'sample_type'
  | 'unit'
  | 'normalize'
  | 'base_factor'
  | 'head_factor'
  | 'base_value'
  | 'head_value'
>

type Comparison = QuestionAnswer<'comparison'>

/** One side of a comparison: profiles, which are added up, or what a run has of a benchmark. */
interface Side {
  records: Profile[]
  run?: { run: Run; result: Result }
}

/**
 * Opens both sides of a comparison, and makes it.
 * @throws Problem `profile_not_found`, `run_not_found`, `benchmark_not_found`, `no_profile`, `not_ready`, `invalid_input`
 */
export async function openComparison(
  context: CallContext,
  input: Input,
  options: Pick<QuestionParams<'comparison'>, 'limit' | 'sortBy' | 'graphNodes' | 'd3'>,
): Promise<{ comparison: Comparison; basis: Basis; warnings: string[] }> {
  const head = await openSide(context, 'head', input)
  // By its id: a benchmark may have been measured under another uri before.
  const benchmark = head.run?.result.benchmarkId ?? input.benchmark
  const base = await openSide(context, 'base', { ...input, benchmark })
  const normalization = normalizationOf(input, base, head)
  const comparison = await comparing(
    askSeveral(context, [...base.records, ...head.records], 'comparison', {
      ...options,
      baseCount: base.records.length,
      sampleType: input.sample_type,
      normalization,
    }),
  )
  return {
    comparison,
    basis: {
      ...sidesOnWire(base, head, comparison),
      benchmark: head.run?.result.uri ?? null,
      sample_type: comparison.sampleType,
      unit: comparison.unit,
      normalize: normalization.by === 'values' ? 'measured' : normalization.by,
      base_factor: comparison.factors.base,
      head_factor: comparison.factors.head,
      base_value: comparison.baseTotal,
      head_value: comparison.headTotal,
    },
    warnings: [
      ...comparison.base.warnings.map((warning) => `Base: ${warning}`),
      ...comparison.head.warnings.map((warning) => `Head: ${warning}`),
    ],
  }
}

async function openSide(context: CallContext, name: 'base' | 'head', input: Input): Promise<Side> {
  const ids = [...new Set(input[name])]
  const isRun = ids.map(isRunId)
  if (!isRun.includes(true)) return { records: await openProfiles(context, ids) }
  if (ids.length > 1) throw invalid(name, 'Give one run, or any number of profiles.')
  if (input.benchmark === undefined) throw invalid('benchmark', 'Say which benchmark of the run.')
  const run = await getRun(context, ids[0]!)
  requireCompleted(run)
  const result = await resultIn(context, run, input.benchmark)
  const record = await profileOfResult(context, run, result)
  return { records: [record], run: { run, result } }
}

function normalizationOf({ normalize }: Input, base: Side, head: Side): Normalization {
  const [before, after] = [base.run?.result, head.run?.result]
  const areMeasured = before !== undefined && after !== undefined
  switch (normalize ?? (areMeasured && before.unit === after.unit ? 'measured' : 'none')) {
    case 'none':
      return { by: 'none' }
    case 'total':
      return { by: 'total' }
    case 'duration':
      return { by: 'duration' }
    case 'measured':
      if (!areMeasured)
        throw invalid('normalize', 'Only runs have something measured: give a run on both sides.')
      if (before.unit !== after.unit)
        throw invalid('normalize', `It was measured in ${before.unit}, and then in ${after.unit}.`)
      return { by: 'values', base: before.value, head: after.value, unit: after.unit }
    default: {
      const factor = Number(normalize)
      if (factor <= 0) throw invalid('normalize', 'A factor is more than 0.')
      return { by: 'factor', factor }
    }
  }
}

function sidesOnWire(base: Side, head: Side, comparison: Comparison): Pick<Basis, 'base' | 'head'> {
  const { timesMs } = takenAt([...base.records, ...head.records])
  const count = base.records.length
  return {
    base: sideOnWire(base, comparison.base, timesMs.slice(0, count)),
    head: sideOnWire(head, comparison.head, timesMs.slice(count)),
  }
}

function sideOnWire(
  { records, run }: Side,
  set: Comparison['base'],
  timesMs: readonly number[],
): Basis['base'] {
  return {
    profile_ids: records.map(({ id }) => id),
    run_id: run?.run.id ?? null,
    taken_at: new Date(Math.min(...timesMs)).toISOString(),
    duration_ms: set.durationMs ?? null,
    sample_count: set.sampleCount,
  }
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_input', message, { errors: [{ field, message }] })
}
