import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { correlationRuleShape, designPage, exampleCorrelationRule } from './design-shapes.ts'

export const createCorrelationRule = defineOperation({
  id: 'create_correlation_rule',
  title: 'Create a correlation rule',
  description: 'Find a value in answers and send it later in place of the recorded one.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/correlation-rules', status: 201 },
  input: z.strictObject({
    project_id: projectId,
    name: z.string().describe('Unique.'),
    variable: z.string().describe('Gets the value.'),
    type: z.enum(['regex', 'json_path', 'boundaries', 'header', 'cookie']).describe('How it is found.'),
    find: z.string().optional().describe('Regex with a group, JSONPath, or header or cookie name.'),
    left: z.string().optional().describe('boundaries'),
    right: z.string().optional().describe('boundaries'),
    part: z.enum(['body', 'headers', 'url']).optional().describe('regex: of the answer'),
    targets: z
      .array(z.enum(['path', 'query', 'header', 'body']))
      .optional()
      .describe('Of requests; else all.'),
    target_name: z.string().optional().describe('Of its parameter, header or field.'),
  }),
  output: z.object({ project_id: z.string(), rule: correlationRuleShape }),
  problems: ['project_not_found', 'invalid_input', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'A CSRF token in a form',
      input: {
        project_id: 'prj_01',
        name: 'CSRF token',
        variable: 'csrf',
        type: 'regex',
        find: 'name="csrf" value="([^"]+)"',
        targets: ['body', 'header'],
      },
      output: { project_id: 'prj_01', rule: exampleCorrelationRule },
    },
  ],
  version: ({ rule }) => rule.version,
  link: ({ project_id }) => designPage(project_id, 'correlation_rule'),
  markdown: ({ rule }) => `Rule ${rule.name} (${rule.id}) sets ${rule.variable}.`,
})
