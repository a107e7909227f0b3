import { z } from 'zod'
import { defineOperation } from '../operation.ts'

export const revokeConnectedApp = defineOperation({
  id: 'revoke_connected_app',
  title: 'Revoke a connected app',
  description:
    'Cut an agent or app off at once: its tokens stop working within a second. It can ask you again.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/me/connected-apps/{connected_app_id}' },
  input: z.strictObject({
    connected_app_id: z
      .string()
      .min(1)
      .max(200)
      .describe('Id of the connected app; list_connected_apps shows them.'),
  }),
  output: z.object({ connected_app_id: z.string(), revoked: z.literal(true) }),
  problems: ['connected_app_not_found'],
  examples: [
    {
      title: 'Cut one off',
      input: { connected_app_id: 'g1' },
      output: { connected_app_id: 'g1', revoked: true },
    },
  ],
  link: () => '/connected-apps',
  markdown: () => 'The app is cut off.',
})
