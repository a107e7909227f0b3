import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  documentShape,
  exampleVirtualUser,
  virtualUserLink,
  virtualUserShape,
} from './virtual-user-shapes.ts'

export const getVirtualUserDocument = defineOperation({
  id: 'get_virtual_user_document',
  title: 'Get the document of a virtual user',
  description: 'The whole JSON of a virtual user, as it is now or as it was in a version.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/virtual-users/{virtual_user_id}/document' },
  mcp: false,
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    version: z.int32().min(1).optional().describe('An earlier one.'),
  }),
  output: z.object({
    virtual_user: virtualUserShape.describe('As it is now.'),
    version: z.number().int().describe('Of the document.'),
    document: documentShape,
  }),
  problems: ['virtual_user_not_found', 'document_not_found'],
  examples: [
    {
      title: 'As it is now',
      input: { virtual_user_id: 'vu_01' },
      output: {
        virtual_user: exampleVirtualUser,
        version: 3,
        document: { schema_version: 1, name: 'Buyer', actions: [] },
      },
    },
  ],
  version: ({ virtual_user }) => virtual_user.version,
  link: ({ virtual_user }) => virtualUserLink(virtual_user),
  markdown: ({ document }) => `\`\`\`json\n${JSON.stringify(document, null, 2)}\n\`\`\``,
})
