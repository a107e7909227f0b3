import { z } from 'zod'
import { liveAppId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteLiveApp = defineOperation({
  id: 'delete_live_app',
  title: 'Delete a live app',
  description: 'Remove a live app with all that it told and its tokens, for good.',
  toolset: 'live',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/live-apps/{live_app_id}' },
  input: z.strictObject({ live_app_id: liveAppId }),
  output: z.object({ live_app_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['live_app_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { live_app_id: 'app_01' },
      output: { live_app_id: 'app_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/live-apps`,
  markdown: ({ live_app_id }) => `Live app ${live_app_id} is deleted.`,
})
