import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { consequencesMarkdown, dryRun, noConsequences, planConsequences } from './plan-consequences.ts'
import { exampleTenant, forAdministrators, planId, tenantShape } from './shapes.ts'

export const setTenantPlan = defineOperation({
  ...forAdministrators,
  id: 'set_tenant_plan',
  title: 'Give a plan',
  description:
    'Give a workspace a plan: its limits hold within 10 seconds, and its retention removes what is older. With dry_run, see first what that is. For administrators of the installation.',
  effect: 'destroy',
  http: { method: 'PUT', path: '/v1/admin/workspaces/{workspace_id}/plan' },
  input: z.strictObject({ workspace_id: workspaceId, plan_id: planId, dry_run: dryRun }),
  output: z.object({ tenant: tenantShape, ...planConsequences }),
  problems: ['workspace_not_found', 'plan_not_found'],
  examples: [
    {
      title: 'They pay',
      input: { workspace_id: 'ws_01', plan_id: 'team' },
      output: { tenant: { ...exampleTenant, plan: 'team' }, ...noConsequences },
    },
  ],
  link: () => '/admin/workspaces',
  markdown: ({ tenant, ...consequences }) =>
    `${tenant.name}: the plan ${tenant.plan}.${consequencesMarkdown(consequences)}`,
})
