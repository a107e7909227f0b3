import { limitsOf } from '../limits/workspace-limits.ts'
import { workerCaller, type JobDeps } from './job.ts'

interface SweepLiveDeps extends Pick<JobDeps, 'stores' | 'limits'> {
  /** What the installation keeps, where a plan keeps more. */
  keptForMs: number
}

/**
 * Ends live apps that are silent, thins what they told, and drops what is too old or too much. Gives how many rows were too old.
 * @param options.isDry only counts
 */
export async function sweepLiveApps(
  apps: readonly { workspaceId: string; id: string }[],
  { stores, limits, keptForMs: keptAtMostMs }: SweepLiveDeps,
  { isDry }: { isDry: boolean } = { isDry: false },
): Promise<number> {
  let dropped = 0
  // oxlint-disable no-await-in-loop -- one after the other, so that other work gets its turn
  for (const app of apps) {
    const { liveAppBytes: bytesMax, retentionDays } = await limitsOf({ stores, limits }, app.workspaceId)
    const keptForMs = Math.min(keptAtMostMs, (retentionDays.live_metrics ?? Infinity) * 86_400_000)
    const caller = workerCaller(app.workspaceId)
    dropped += isDry
      ? await stores.live.countOld(caller, app, { keptForMs })
      : await stores.live.sweep(caller, app, { bytesMax, keptForMs })
  }
  // oxlint-enable no-await-in-loop
  return dropped
}
