import type { Reading } from '../implement.ts'
import type { Profile, Run } from '../ports/index.ts'

/** The newest profiles of a run, or of one benchmark in it, that can be looked into, newest first. */
export async function profilesOfRun(context: Reading, run: Run, benchmarkId?: string): Promise<Profile[]> {
  return context.deps.stores.profiles.list(
    context.caller,
    run.projectId,
    { limit: 1000 },
    { runId: run.id, benchmarkId, status: 'READY' },
  )
}

/** Of each run the ids of its benchmarks that have a profile, by its own id. */
export async function benchmarksWithProfile(
  { caller, deps }: Reading,
  runs: readonly Run[],
): Promise<(run: Run | undefined) => ReadonlySet<string>> {
  const found = await deps.stores.profiles.listProfiled(caller, runs)
  const byRun = new Map(runs.map(({ id }) => [id, new Set<string>()]))
  for (const { runId, benchmarkId } of found) byRun.get(runId)?.add(benchmarkId)
  return (run) => (run && byRun.get(run.id)) ?? new Set()
}

/** Those that tell of what the instrument measured before the others: of a time it is CPU, of memory the heap. */
export function mostFittingFirst(profiles: readonly Profile[], instrument: string | undefined): Profile[] {
  const wanted = instrument === 'memory' ? 'heap' : 'cpu'
  return profiles.toSorted((a, b) => Number(b.type === wanted) - Number(a.type === wanted))
}
