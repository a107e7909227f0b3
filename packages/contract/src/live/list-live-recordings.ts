import { z } from 'zod'
import { liveAppId, projectId } from '../fields.ts'
import { moreLine } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleLiveRecording, liveRecordingShape, liveRecordingsTable } from './live-recording-shapes.ts'

export const listLiveRecordings = defineOperation({
  id: 'list_live_recordings',
  title: 'List live recordings',
  description: 'Kept times of live apps. Other tools take the id of one as live_app_id.',
  toolset: 'live',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/live-recordings' },
  input: z.strictObject({
    project_id: projectId,
    live_app_id: liveAppId.optional().describe('Of this app.'),
    ...pageInput,
  }),
  output: z.object({
    project_id: z.string(),
    live_recordings: z.array(liveRecordingShape),
    ...pageOutput,
  }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'Of a project',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', live_recordings: [exampleLiveRecording], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/live-recordings`,
  markdown: ({ live_recordings, next_cursor }) =>
    liveRecordingsTable(live_recordings) + moreLine(next_cursor),
})
