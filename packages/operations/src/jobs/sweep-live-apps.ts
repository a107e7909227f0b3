import { liveBytesMax } from '../limits/live-limits.ts'
import { workerCaller, type JobDeps } from './job.ts'

/** Ends live apps that are silent, thins what they told, and drops what is too old or too much. */
export async function sweepLiveApps(
  apps: readonly { workspaceId: string; id: string }[],
  { stores, limits, keptForMs }: Pick<JobDeps, 'stores' | 'limits'> & { keptForMs: number },
): Promise<void> {
  const bounds = { bytesMax: liveBytesMax(limits), keptForMs }
  // oxlint-disable-next-line no-await-in-loop -- one after the other, so that other work gets its turn
  for (const app of apps) await stores.live.sweep(workerCaller(app.workspaceId), app, bounds)
}
