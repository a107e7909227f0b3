import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { liveRecordingOnWire } from './live-recording-on-wire.ts'
import { getLiveRecording as reachLiveRecording } from './reaching.ts'

export const getLiveRecording = implement(operations.getLiveRecording)(async (input, context) => ({
  live_recording: liveRecordingOnWire(await reachLiveRecording(context, input.live_recording_id)),
}))
