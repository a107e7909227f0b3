import { formatBytes } from '@flamegate/contract'
import type { Reading } from '../implement.ts'
import type { Stores } from '../ports/index.ts'
import { planProblem } from './plan-problem.ts'
import { limitsOf, type LimitFactor } from './workspace-limits.ts'

interface Uploading extends Pick<Reading, 'caller'> {
  deps: { stores: Pick<Stores, 'plans' | 'usage'>; limits: LimitFactor }
}

/**
 * Counts something that is sent in, before anything is done with it.
 * @throws Problem `plan_limit_reached` when there is no room for it, or as much came today as may
 */
export async function enterUpload(
  { caller, deps }: Uploading,
  workspaceId: string,
  sizeBytes: number,
): Promise<void> {
  const limits = await limitsOf(deps, workspaceId)
  await mustHaveRoom({ caller, deps }, workspaceId, sizeBytes)
  const upload = { sizeBytes, uploadsMax: limits.uploadsPerDay }
  if (await deps.stores.usage.countUpload(caller, workspaceId, upload)) return
  throw planProblem(
    `The plan ${limits.plan.title} of this workspace has ${limits.uploadsPerDay} uploads a day, and so many came today.`,
    {
      advice: 'The next day begins at midnight UTC. Send less often, or several results at once.',
      retryAfterSeconds: secondsToMidnight(new Date()),
    },
  )
}

/** @throws Problem `plan_limit_reached` */
export async function mustHaveRoom(
  { caller, deps }: Uploading,
  workspaceId: string,
  sizeBytes: number,
): Promise<void> {
  const { plan, storageBytes } = await limitsOf(deps, workspaceId)
  if (storageBytes === Infinity) return
  const storedBytes = await deps.stores.usage.countStorageBytes(caller, workspaceId)
  if (storedBytes + sizeBytes <= storageBytes) return
  throw planProblem(
    `The files of this workspace take ${formatBytes(storedBytes)}, and its plan ${plan.title} has ${formatBytes(storageBytes)}: there is no room for ${formatBytes(sizeBytes)} more.`,
    { advice: 'Delete profiles, results of load tests or projects that nobody needs.' },
  )
}

function secondsToMidnight(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.ceil((midnight - now.getTime()) / 1000)
}
