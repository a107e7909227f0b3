import { z } from 'zod'
import { liveRecordingId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteLiveRecording = defineOperation({
  id: 'delete_live_recording',
  title: 'Delete a live recording',
  description: 'Remove a live recording for good.',
  toolset: 'live',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/live-recordings/{live_recording_id}' },
  input: z.strictObject({ live_recording_id: liveRecordingId }),
  output: z.object({ live_recording_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['live_recording_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { live_recording_id: 'lrc_01' },
      output: { live_recording_id: 'lrc_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/live-recordings`,
  markdown: ({ live_recording_id }) => `Live recording ${live_recording_id} is deleted.`,
})
