import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { liveAppOnWire } from './live-app-on-wire.ts'
import { getLiveApp } from './reaching.ts'

export const endLiveApp = implement(operations.endLiveApp)(async (input, context) => {
  const app = await getLiveApp(context, input.live_app_id)
  const ended = await context.deps.stores.live.end(context.caller, app.id)
  return { live_app: liveAppOnWire(ended ?? { ...app, endedAt: new Date() }) }
})
