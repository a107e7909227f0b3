import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getLiveApp } from './reaching.ts'

export const deleteLiveApp = implement(operations.deleteLiveApp)(async (input, context) => {
  const app = await getLiveApp(context, input.live_app_id)
  await context.deps.stores.live.remove(context.caller, app.id)
  return { live_app_id: app.id, project_id: app.projectId, deleted: true as const }
})
