import { z } from 'zod'
import { liveRecordingId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleLiveRecording, liveRecordingShape, liveRecordingsTable } from './live-recording-shapes.ts'
import { liveAppLink } from './live-shapes.ts'

export const getLiveRecording = defineOperation({
  id: 'get_live_recording',
  title: 'Get a live recording',
  description: 'Name, time and note of a live recording. What it tells is asked as of a live app.',
  toolset: 'live',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/live-recordings/{live_recording_id}' },
  input: z.strictObject({ live_recording_id: liveRecordingId }),
  output: z.object({ live_recording: liveRecordingShape }),
  problems: ['live_recording_not_found'],
  examples: [
    {
      title: 'One',
      input: { live_recording_id: 'lrc_01' },
      output: { live_recording: exampleLiveRecording },
    },
  ],
  link: ({ live_recording }) => liveAppLink(live_recording.id),
  markdown: ({ live_recording }) => liveRecordingsTable([live_recording]),
})
