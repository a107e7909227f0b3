import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { correlationRuleId, designPage } from './design-shapes.ts'

export const deleteCorrelationRule = defineOperation({
  id: 'delete_correlation_rule',
  title: 'Delete a correlation rule',
  description: 'Remove a rule; what it was applied to stays.',
  toolset: 'virtual_users',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/correlation-rules/{correlation_rule_id}' },
  input: z.strictObject({ correlation_rule_id: correlationRuleId }),
  output: z.object({ correlation_rule_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['correlation_rule_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { correlation_rule_id: 'rul_01' },
      output: { correlation_rule_id: 'rul_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => designPage(project_id, 'correlation_rule'),
  markdown: ({ correlation_rule_id }) => `Rule ${correlation_rule_id} is deleted.`,
})
