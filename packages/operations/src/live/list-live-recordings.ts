import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { liveRecordingOnWire } from './live-recording-on-wire.ts'

export const listLiveRecordings = implement(operations.listLiveRecordings)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const filter = { liveAppId: input.live_app_id }
  const { rows, nextCursor } = await pageOf(
    'live_recordings',
    input,
    { project: project.id, ...filter },
    (page) => context.deps.stores.liveRecordings.list(context.caller, project.id, page, filter),
  )
  return {
    project_id: project.id,
    live_recordings: rows.map(liveRecordingOnWire),
    next_cursor: nextCursor,
  }
})
