import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import type { BenchResult } from '../bench-results/bench-state.tsx'

const none: readonly BenchResult[] = []
const runsMax = 100

/** The newest load tests of a project, for choosing some of them; none as long as there is no project to ask for. */
export function useBenchRuns(projectId: string | undefined): readonly BenchResult[] {
  const answer = useAnswer(
    operations.listBenchResults,
    { project_id: projectId ?? '', limit: runsMax },
    { enabled: projectId !== undefined },
  ).data
  return answer?.bench_results ?? none
}
