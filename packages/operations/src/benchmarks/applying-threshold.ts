import type { StoredThreshold, ThresholdTarget } from '../ports/index.ts'

/** What a threshold says, whoever set it. */
export type ThresholdRule = Pick<
  StoredThreshold,
  'test' | 'lowerBound' | 'upperBound' | 'windowRuns' | 'sampleMin'
>

/** What every project begins with, on its default branch. It needs no tuning, because it goes by the noise it sees. */
export const defaultRule: ThresholdRule = {
  test: 'change_point',
  lowerBound: null,
  upperBound: null,
  windowRuns: 300,
  sampleMin: 10,
}

/**
 * Of the thresholds that fit a benchmark's metric on a branch the most exact one: for benchmark and branch, for the
 * benchmark, for the branch, for all. Where there are several `branches`, the first goes before the next.
 */
export function applyingThreshold<T extends ThresholdTarget>(
  thresholds: readonly T[],
  at: { branches: readonly string[]; benchmarkId: string; metric: string; isMainMetric: boolean },
): T | undefined {
  return thresholds
    .filter(
      ({ branch, benchmarkId, metric }) =>
        (branch === null || at.branches.includes(branch)) &&
        (benchmarkId ?? at.benchmarkId) === at.benchmarkId &&
        (metric === at.metric || (metric === null && at.isMainMetric)),
    )
    .toSorted((a, b) => exactness(b, at.branches) - exactness(a, at.branches))[0]
}

function exactness({ branch, benchmarkId, metric }: ThresholdTarget, branches: readonly string[]): number {
  const ofBranch = branch === null ? 0 : branches.length - branches.indexOf(branch)
  return 2 * (branches.length + 1) * Number(benchmarkId !== null) + 2 * ofBranch + Number(metric !== null)
}
