import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { designPage, variableId } from './design-shapes.ts'

export const deleteVariable = defineOperation({
  id: 'delete_variable',
  title: 'Delete a variable',
  description: 'Remove a variable that nothing uses.',
  toolset: 'virtual_users',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/variables/{variable_id}' },
  input: z.strictObject({ variable_id: variableId }),
  output: z.object({ variable_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['variable_not_found', 'in_use', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { variable_id: 'var_01' },
      output: { variable_id: 'var_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => designPage(project_id, 'variable'),
  markdown: ({ variable_id }) => `Variable ${variable_id} is deleted.`,
})
