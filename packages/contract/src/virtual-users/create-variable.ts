import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { designPage, exampleVariable, variableShape } from './design-shapes.ts'

export const createVariable = defineOperation({
  id: 'create_variable',
  title: 'Create a variable',
  description: 'Add a value that requests can name as ${name}. Each type takes the fields that name it.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/variables', status: 201 },
  input: z.strictObject({
    project_id: projectId,
    name: z.string().describe('Letters, digits, _ . -'),
    type: z
      .enum([
        'constant',
        'csv',
        'counter',
        'random_number',
        'random_text',
        'uuid',
        'date_time',
        'list',
        'secret',
      ])
      .describe('Of its values.'),
    value: z.string().optional().describe('constant, secret'),
    values: z.array(z.string()).optional().describe('of list'),
    path: z.string().optional().describe('csv: project file'),
    columns: z.array(z.string()).optional().describe('csv, else by its first line'),
    order: z.enum(['sequential', 'random', 'unique']).optional().describe('csv, list; unique: only csv'),
    start: z.int().optional().describe('counter'),
    min: z.number().optional().describe('random_number'),
    max: z.number().optional().describe('random_number'),
    length: z.int().optional().describe('random_text'),
    format: z.string().optional().describe('date_time: yyyy-MM-dd, iso, unix'),
    renewed: z.enum(['each_use', 'each_iteration', 'once']).optional().describe('Else each_iteration.'),
    settings: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Others (read_guide variables.json): delimiter, encoding, skip_lines, at_end, sharing, end, step, digits, decimals, characters, offset_ms, time_zone',
      ),
  }),
  output: z.object({ project_id: z.string(), variable: variableShape }),
  problems: ['project_not_found', 'invalid_input', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'A random number',
      input: { project_id: 'prj_01', name: 'user_id', type: 'random_number', min: 1, max: 500 },
      output: { project_id: 'prj_01', variable: exampleVariable },
    },
  ],
  version: ({ variable }) => variable.version,
  link: ({ project_id }) => designPage(project_id, 'variable'),
  markdown: ({ variable }) => `Variable \${${variable.name}} (${variable.type}, ${variable.id}) is there.`,
})
