import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  documentShape,
  exampleVirtualUser,
  virtualUserLink,
  virtualUserShape,
} from './virtual-user-shapes.ts'

export const createVirtualUser = defineOperation({
  id: 'create_virtual_user',
  title: 'Create a virtual user',
  description:
    'An empty virtual user, or one of a document, whose JSON Schema is at /mcp/public/schema/vu.json.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/virtual-users', status: 201 },
  mcp: false,
  input: z.strictObject({
    project_id: projectId,
    name: z.string().min(1).max(80).describe('Its name.'),
    document: documentShape.optional().describe('What it does; its name is the one given beside it.'),
  }),
  output: z.object({ virtual_user: virtualUserShape }),
  problems: ['project_not_found', 'invalid_input', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'An empty one',
      input: { project_id: 'prj_01', name: 'Buyer' },
      output: { virtual_user: exampleVirtualUser },
    },
  ],
  link: ({ virtual_user }) => virtualUserLink(virtual_user),
  markdown: ({ virtual_user: { name, id } }) => `**${name}** (${id}) is there.`,
})
