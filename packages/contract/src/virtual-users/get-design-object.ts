import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { designObjectId, designObjectShape, designPage, exampleDesignObject } from './design-shapes.ts'

export const getDesignObject = defineOperation({
  id: 'get_design_object',
  title: 'Read a variable, HTTP server or rule',
  description: 'The whole document of a variable, an HTTP server or a correlation rule, as it is or was.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/design-objects/{object_id}' },
  mcp: false,
  input: z.strictObject({
    object_id: designObjectId,
    version: z.int32().min(1).optional().describe('An earlier one; else the newest.'),
  }),
  output: z.object({ object: designObjectShape }),
  problems: ['document_not_found'],
  examples: [
    {
      title: 'A variable',
      input: { object_id: 'var_01' },
      output: { object: exampleDesignObject },
    },
  ],
  link: ({ object }) => designPage(object.project_id, object.kind),
  markdown: ({ object }) =>
    `${object.name} (${object.id}), version ${object.version}:\n\n\`\`\`json\n${JSON.stringify(object.document, null, 2)}\n\`\`\``,
})
