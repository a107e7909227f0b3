import { z } from 'zod'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { examplePlan, forAdministrators, planShape } from './shapes.ts'

export const listPlans = defineOperation({
  ...forAdministrators,
  id: 'list_plans',
  title: 'List plans',
  description:
    'Every plan that a workspace may have, with its limits and how many have it. For administrators of the installation.',
  effect: 'read',
  http: { method: 'GET', path: '/v1/admin/plans' },
  input: z.strictObject({}),
  output: z.object({ plans: z.array(planShape) }),
  problems: ['plan_not_found'],
  examples: [{ title: 'One plan', input: {}, output: { plans: [examplePlan] } }],
  link: () => '/admin/plans',
  markdown: ({ plans }) =>
    table(
      ['Plan', 'Id', { title: 'Workspaces', right: true }],
      plans.map((plan) => [plan.title, plan.id, plan.workspace_count]),
      'There is none.',
    ),
})
