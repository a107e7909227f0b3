import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleVirtualUser, virtualUserLink, virtualUserShape } from './virtual-user-shapes.ts'

export const duplicateVirtualUser = defineOperation({
  id: 'duplicate_virtual_user',
  title: 'Duplicate a virtual user',
  description: 'The same virtual user again, in the same project.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/virtual-users/{virtual_user_id}/duplicate', status: 201 },
  mcp: false,
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    name: z.string().min(1).max(80).optional().describe('Its name; else that of the other with a number.'),
  }),
  output: z.object({ virtual_user: virtualUserShape }),
  problems: ['virtual_user_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'Again',
      input: { virtual_user_id: 'vu_01' },
      output: { virtual_user: { ...exampleVirtualUser, id: 'vu_02', name: 'Buyer (2)', version: 1 } },
    },
  ],
  link: ({ virtual_user }) => virtualUserLink(virtual_user),
  markdown: ({ virtual_user: { name, id } }) => `**${name}** (${id}) is there.`,
})
