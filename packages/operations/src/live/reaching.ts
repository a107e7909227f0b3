import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { LiveApp } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** A live app among those that the caller may read. */
export async function getLiveApp(context: CallContext, id: string): Promise<LiveApp> {
  const app = await context.deps.stores.live.find(context.caller, id)
  if (app === undefined) {
    throw new Problem('live_app_not_found', 'No such live app in your workspaces.', {
      hint: [operations.listLiveApps, 'shows those of a project'],
    })
  }
  await reach(context, app.workspaceId, app.id)
  return app
}
