import { z } from 'zod'
import { liveAppId, timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleLiveRecording, liveRecordingShape, liveRecordingsTable } from './live-recording-shapes.ts'
import { liveAppLink } from './live-shapes.ts'

export const pinLiveRecording = defineOperation({
  id: 'pin_live_recording',
  title: 'Pin a live recording',
  description: 'Keep a time of a live app, without its logs, to ask and compare it later.',
  toolset: 'live',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/live-apps/{live_app_id}/recordings', status: 201 },
  input: z.strictObject({
    live_app_id: liveAppId,
    name: z.string().trim().min(1).max(100).describe('What it shows.'),
    last_seconds: z
      .number()
      .int()
      .min(1)
      .max(90 * 86_400)
      .optional()
      .describe('Length; else 60.'),
    from: timestamp.optional().describe('Or its beginning.'),
    until: timestamp.optional().describe('Its end; else the last push.'),
    note: z.string().trim().min(1).max(2000).optional().describe('In your words.'),
  }),
  output: z.object({ live_recording: liveRecordingShape }),
  problems: ['live_app_not_found', 'insufficient_role', 'invalid_input', 'in_use', 'too_large'],
  examples: [
    {
      title: 'The last minute',
      input: { live_app_id: 'app_01', name: 'Before the fix' },
      output: { live_recording: exampleLiveRecording },
    },
  ],
  link: ({ live_recording }) => liveAppLink(live_recording.id),
  markdown: ({ live_recording }) => liveRecordingsTable([live_recording]),
})
