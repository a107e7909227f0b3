import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { designObjectId, designObjectShape, designPage, exampleDesignObject } from './design-shapes.ts'

export const restoreDesignObject = defineOperation({
  id: 'restore_design_object',
  title: 'Restore a variable, HTTP server or rule',
  description: 'Bring back a variable, an HTTP server or a correlation rule that was deleted.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/design-objects/{object_id}/restore' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({ object_id: designObjectId }),
  output: z.object({ object: designObjectShape }),
  problems: ['document_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'Undo',
      input: { object_id: 'var_01' },
      output: { object: exampleDesignObject },
    },
  ],
  version: ({ object }) => object.version,
  link: ({ object }) => designPage(object.project_id, object.kind),
  markdown: ({ object }) => `${object.name} (${object.id}) is back.`,
})
