import { Problem, type Caller } from '@flamegate/contract'
import type { LiveLog, ReceivedLivePush } from '@flamegate/live'
import type { Deps } from '../implement.ts'
import { enterLiveValues, tooMuch } from '../limits/live-limits.ts'
import { limitsOf } from '../limits/workspace-limits.ts'
import { LiveAppGone, LiveBusy, type LiveApp, type LiveStore, type Stores } from '../ports/index.ts'

/** What is beyond the bytes that are kept by less than this is left to the next push, or to the sweep. */
const trimsAbove = 1.02

/** What it takes to store a push in somebody's name. */
export interface Taking {
  caller: Caller
  deps: Pick<Deps, 'limits'> & {
    stores: Pick<Stores, 'plans'> & { live: Pick<LiveStore, 'push' | 'trim'> }
  }
}

/**
 * Stores a push within the limits of its app.
 * @param values how many log entries and items it has, see `valuesOf`
 * @throws Problem `rate_limited`, `live_app_not_found`
 */
export async function takePush(
  { caller, deps }: Taking,
  app: LiveApp,
  push: Parameters<LiveStore['push']>[2],
  values: number,
): Promise<'stored' | 'duplicate'> {
  await enterLiveValues(deps.limits, app.id, values)
  const { liveAppBytes: bytesMax } = await limitsOf(deps, app.workspaceId)
  try {
    if (app.sizeBytes > bytesMax * trimsAbove) await deps.stores.live.trim(caller, app, bytesMax)
    return await deps.stores.live.push(caller, app, push)
  } catch (error) {
    if (error instanceof LiveBusy)
      throw tooMuch('Too many pushes wait to be stored.', { retryAfterSeconds: 1 })
    if (error instanceof LiveAppGone) throw new Problem('live_app_not_found', 'It was deleted just now.')
    throw error
  }
}

/** Log entries and items. */
export function valuesOf({ sections, logs }: Pick<ReceivedLivePush, 'sections' | 'logs'>): number {
  const items = Object.values(sections).reduce((sum, section) => sum + section.items.length, 0)
  return items + entriesOf(logs)
}

export function entriesOf(logs: readonly Pick<LiveLog, 'at'>[]): number {
  return logs.reduce((sum, { at }) => sum + at.length, 0)
}
