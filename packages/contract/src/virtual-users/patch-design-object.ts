import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import {
  designObjectId,
  designObjectShape,
  designPage,
  exampleDesignObject,
  ifVersion,
} from './design-shapes.ts'

export const patchDesignObject = defineOperation({
  id: 'patch_design_object',
  title: 'Change a variable, HTTP server or rule',
  description:
    'Change the document of a variable, an HTTP server or a correlation rule by RFC 6902, go back to a version, or give a secret a new value. Their JSON Schemas are below /mcp/public/schema/.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/design-objects/{object_id}' },
  mcp: false,
  idempotent: false,
  input: z.strictObject({
    object_id: designObjectId,
    patch: z
      .array(z.record(z.string(), z.unknown()))
      .max(1000)
      .default([])
      .describe('Operations of JSON Patch, RFC 6902.'),
    restore_version: z.int32().min(1).optional().describe('Version to go back to, before the patch.'),
    secret_value: z.string().min(1).max(10_000).optional().describe('New value of a secret variable.'),
    label: z.string().min(1).max(80).optional().describe('What to call the new version.'),
    if_version: ifVersion,
  }),
  output: z.object({ object: designObjectShape }),
  problems: ['document_not_found', 'invalid_input', 'conflict', 'version_mismatch', 'insufficient_role'],
  examples: [
    {
      title: 'Another value',
      input: { object_id: 'var_01', patch: [{ op: 'replace', path: '/value', value: '7' }], if_version: 1 },
      output: { object: exampleDesignObject },
    },
  ],
  version: ({ object }) => object.version,
  link: ({ object }) => designPage(object.project_id, object.kind),
  markdown: ({ object }) => `${object.name} (${object.id}) now has version ${object.version}.`,
})
