import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { planConsequences } from './plan-consequences.ts'
import { getTenant, tenantOnWire } from './tenant-on-wire.ts'

export const setTenantPlan = implement(operations.setTenantPlan)(async (input, context) => {
  const tenant = await getTenant(context, input.workspace_id)
  const { administration } = context.deps.stores
  const plans = await administration.listPlans(context.caller)
  const plan = plans.find(({ id }) => id === input.plan_id)
  if (plan === undefined) {
    throw new Problem('plan_not_found', `There is no plan ${input.plan_id}.`, {
      hint: [operations.listPlans, 'shows the ones there are'],
    })
  }
  const consequences = await planConsequences(context, plan.limits, { workspaceId: tenant.id })
  if (!input.dry_run) await administration.setTenantPlan(context.caller, tenant.id, plan.id)
  return { tenant: tenantOnWire({ ...tenant, plan: plan.id }), ...consequences, dry_run: input.dry_run }
})
