import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { planLimitsSchema } from '../plan-limits.ts'
import { consequencesMarkdown, dryRun, noConsequences, planConsequences } from './plan-consequences.ts'
import { examplePlan, forAdministrators, planId, planShape } from './shapes.ts'

export const setPlan = defineOperation({
  ...forAdministrators,
  id: 'set_plan',
  title: 'Set a plan',
  description:
    'Change what a plan allows, or add one. Workspaces that have it go by it within 10 seconds; less retention removes what is older. With dry_run, see first whom it would meet. For administrators of the installation.',
  effect: 'destroy',
  http: { method: 'PUT', path: '/v1/admin/plans/{plan_id}' },
  input: z.strictObject({
    plan_id: planId,
    title: z.string().trim().min(1).max(60).describe('As people read it.'),
    limits: planLimitsSchema.describe('All of them: those of list_plans, changed.'),
    dry_run: dryRun,
  }),
  output: z.object({ plan: planShape, ...planConsequences }),
  problems: ['plan_not_found'],
  examples: [
    {
      title: 'More calls',
      input: { plan_id: 'team', title: 'Team', limits: examplePlan.limits },
      output: { plan: examplePlan, ...noConsequences },
    },
  ],
  link: () => '/admin/plans',
  markdown: ({ plan, ...consequences }) =>
    `Plan **${plan.title}**, of ${plan.workspace_count} workspaces.${consequencesMarkdown(consequences)}`,
})
