import { limitsOf } from '../limits/workspace-limits.ts'
import { workerCaller, type JobDeps } from './job.ts'

/** Ends live apps that are silent, thins what they told, and drops what is too old or too much. */
export async function sweepLiveApps(
  apps: readonly { workspaceId: string; id: string }[],
  { stores, limits, keptForMs }: Pick<JobDeps, 'stores' | 'limits'> & { keptForMs: number },
): Promise<void> {
  // oxlint-disable no-await-in-loop -- one after the other, so that other work gets its turn
  for (const app of apps) {
    const { liveAppBytes: bytesMax, retentionDays } = await limitsOf({ stores, limits }, app.workspaceId)
    const planMs = (retentionDays.live_metrics ?? Infinity) * 86_400_000
    await stores.live.sweep(workerCaller(app.workspaceId), app, {
      bytesMax,
      keptForMs: Math.min(keptForMs, planMs),
    })
  }
  // oxlint-enable no-await-in-loop
}
