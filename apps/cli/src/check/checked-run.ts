import { ApiProblem, type Client } from '@flamegate/client'
import type { AnswerOf, RawInputOf } from '@flamegate/contract'
import { checkRegression } from '@flamegate/contract/benchmarks/check-regression'
import { compareRuns } from '@flamegate/contract/benchmarks/compare-runs'

export type CheckAnswer = AnswerOf<typeof checkRegression>
/** A benchmark with its verdict, as the wire has it. */
export type JudgedBenchmark = CheckAnswer['failures'][number]

/** A run that was checked, with what is said of its benchmarks. */
export interface CheckedRun {
  answer: CheckAnswer
  /** Every benchmark, worst first; those that fail alone where the token may read nothing else. */
  benchmarks: readonly JudgedBenchmark[]
}

const benchmarksMax = 10_000
const importWithinMs = 5 * 60_000
const askEveryMs = 2_000

/**
 * Asks whether a run passes, and waits up to five minutes for one that is still being read.
 * @throws ApiProblem
 */
export async function checkRun(
  client: Client,
  input: RawInputOf<typeof checkRegression>,
  pause: (ms: number) => Promise<void>,
  attemptsLeft = importWithinMs / askEveryMs,
): Promise<CheckAnswer> {
  try {
    return await client.call(checkRegression, input)
  } catch (error) {
    const isPending = error instanceof ApiProblem && error.code === 'not_ready'
    if (!isPending || attemptsLeft <= 1) throw error
  }
  await pause(askEveryMs)
  return checkRun(client, input, pause, attemptsLeft - 1)
}

/** What a check says of every benchmark, for reports that list the ones that pass as well. */
export async function withAllBenchmarks(
  client: Client,
  answer: CheckAnswer,
  input: Pick<RawInputOf<typeof checkRegression>, 'confidence' | 'threshold_percent'>,
): Promise<CheckedRun> {
  if (answer.base === null) return { answer, benchmarks: answer.failures }
  const benchmarks = await comparedBenchmarks(client, {
    confidence: input.confidence,
    ...(input.threshold_percent === undefined ? {} : { threshold_percent: input.threshold_percent }),
    base_run_id: answer.base.id,
    head_run_id: answer.head.id,
    limit: benchmarksMax,
  })
  // What fails is what the check says, whatever the comparison alone would say of it.
  const failing = new Set(answer.failures.map(judgedKey))
  return {
    answer,
    benchmarks: [...answer.failures, ...benchmarks.filter((each) => !failing.has(judgedKey(each)))],
  }
}

/** Thresholds may judge several metrics of one benchmark. */
export function judgedKey({ benchmark_id, metric }: JudgedBenchmark): string {
  return `${benchmark_id} ${metric}`
}

async function comparedBenchmarks(
  client: Client,
  input: RawInputOf<typeof compareRuns>,
): Promise<readonly JudgedBenchmark[]> {
  try {
    return (await client.call(compareRuns, input)).benchmarks
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'insufficient_scope') return []
    throw error
  }
}
