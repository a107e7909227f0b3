import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleVirtualUser, virtualUserLink, virtualUserShape } from './virtual-user-shapes.ts'

export const restoreVirtualUser = defineOperation({
  id: 'restore_virtual_user',
  title: 'Bring back a virtual user',
  description: 'Undo the deletion of a virtual user.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/virtual-users/{virtual_user_id}/restore' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({ virtual_user_id: virtualUserId }),
  output: z.object({ virtual_user: virtualUserShape }),
  problems: ['virtual_user_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'Bring back',
      input: { virtual_user_id: 'vu_01' },
      output: { virtual_user: exampleVirtualUser },
    },
  ],
  link: ({ virtual_user }) => virtualUserLink(virtual_user),
  markdown: ({ virtual_user: { name, id } }) => `**${name}** (${id}) is there again.`,
})
