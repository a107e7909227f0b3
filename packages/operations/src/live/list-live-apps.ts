import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { liveAppOnWire, liveProcessOnWire } from './live-app-on-wire.ts'

export const listLiveApps = implement(operations.listLiveApps)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const apps = await context.deps.stores.live.list(context.caller, project.id)
  return {
    project_id: project.id,
    live_apps: apps.map(({ newest, ...app }) => ({
      ...liveAppOnWire(app),
      process: newest === null ? null : liveProcessOnWire(newest),
    })),
  }
})
