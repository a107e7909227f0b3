import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'

/** The name of a benchmark of which only the id is known; the id until then. */
export function BenchmarkById({ benchmarkId }: { benchmarkId: string }) {
  const { data } = useAnswer(operations.getBenchmarkHistory, { benchmark_id: benchmarkId, limit: 1 })
  return data?.benchmark.name ?? benchmarkId
}
