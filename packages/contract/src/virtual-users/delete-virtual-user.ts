import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteVirtualUser = defineOperation({
  id: 'delete_virtual_user',
  title: 'Delete a virtual user',
  description: 'Remove a virtual user that no scenario has; people can bring it back.',
  toolset: 'virtual_users',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/virtual-users/{virtual_user_id}' },
  input: z.strictObject({ virtual_user_id: virtualUserId }),
  output: z.object({ virtual_user_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['virtual_user_not_found', 'in_use', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { virtual_user_id: 'vu_01' },
      output: { virtual_user_id: 'vu_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/virtual-users`,
  markdown: ({ virtual_user_id }) => `Virtual user ${virtual_user_id} is deleted.`,
})
