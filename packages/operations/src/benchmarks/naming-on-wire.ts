import type { operations, OutputOf } from '@flamegate/contract'
import type { Reading } from '../implement.ts'
import type { Benchmark } from '../ports/index.ts'

type SameUri = OutputOf<typeof operations.getBenchmarkResult>['same_uri']

/** The former uri by which a benchmark was asked for; null when it was its present uri, or its id. */
export function renamedFrom(asked: string, { id, uri }: Pick<Benchmark, 'id' | 'uri'>): string | null {
  return asked === uri || asked === id ? null : asked
}

/** What else is measured under the uri of a benchmark. */
export async function sameUri(
  { caller, deps }: Reading,
  { id, uri, projectId }: Pick<Benchmark, 'id' | 'uri' | 'projectId'>,
): Promise<SameUri> {
  const all = await deps.stores.benchmarks.listByUri(caller, projectId, uri)
  return all
    .filter((each) => each.id !== id)
    .map((each) => ({ benchmark_id: each.id, instrument: each.instrument, metric: each.metric }))
}
