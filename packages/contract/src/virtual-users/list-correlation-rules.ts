import { z } from 'zod'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { correlationRuleShape, designPage, exampleCorrelationRule } from './design-shapes.ts'

export const listCorrelationRules = defineOperation({
  id: 'list_correlation_rules',
  title: 'List correlation rules',
  description: 'Rules of a project that find dynamic values, and frameworks with ready ones.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/correlation-rules' },
  input: z.strictObject({ project_id: projectId, ...pageInput }),
  output: z.object({
    project_id: z.string(),
    rules: z.array(correlationRuleShape),
    frameworks: z
      .array(z.object({ id: z.string(), title: z.string(), rule_names: z.array(z.string()) }))
      .describe('Ready rules, for apply_correlations_to_virtual_user.'),
    ...pageOutput,
  }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'One',
      input: { project_id: 'prj_01' },
      output: {
        project_id: 'prj_01',
        rules: [exampleCorrelationRule],
        frameworks: [{ id: 'django', title: 'Django', rule_names: ['Django CSRF token'] }],
        next_cursor: null,
      },
    },
  ],
  link: ({ project_id }) => designPage(project_id, 'correlation_rule'),
  markdown: ({ rules, frameworks, next_cursor }) =>
    [
      table(
        ['Name', 'Finds', 'Variable', 'Sent in', 'On', 'Id'],
        rules.map((rule) => [
          rule.name,
          Object.values(rule.source).join(' '),
          rule.variable,
          rule.targets.join(', '),
          rule.enabled ? 'yes' : 'no',
          rule.id,
        ]),
        'No rules of its own.',
      ) + moreLine(next_cursor),
      `Frameworks: ${frameworks.map(({ id }) => id).join(', ')}`,
    ].join('\n\n'),
})
