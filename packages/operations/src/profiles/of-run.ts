import type { Reading } from '../implement.ts'
import type { Profile, Run } from '../ports/index.ts'

/** Every profile of a run that can be looked into, newest first. */
export async function profilesOfRun(context: Reading, run: Run): Promise<Profile[]> {
  return context.deps.stores.profiles.list(
    context.caller,
    run.projectId,
    { limit: 1000 },
    { runId: run.id, status: 'READY' },
  )
}

/** Ids of the run's benchmarks that have a profile. */
export async function benchmarksWithProfile(context: Reading, run: Run): Promise<ReadonlySet<string>> {
  const profiles = await profilesOfRun(context, run)
  return new Set(profiles.flatMap((profile) => profile.benchmarkId ?? []))
}

/** Those that tell of what the instrument measured before the others: of a time it is CPU, of memory the heap. */
export function mostFittingFirst(profiles: readonly Profile[], instrument: string | undefined): Profile[] {
  const wanted = instrument === 'memory' ? 'heap' : 'cpu'
  return profiles.toSorted((a, b) => Number(b.type === wanted) - Number(a.type === wanted))
}
