import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getLiveRecording } from './reaching.ts'

export const deleteLiveRecording = implement(operations.deleteLiveRecording)(async (input, context) => {
  const { id, projectId } = await getLiveRecording(context, input.live_recording_id)
  await context.deps.stores.liveRecordings.remove(context.caller, id)
  return { live_recording_id: id, project_id: projectId, deleted: true as const }
})
