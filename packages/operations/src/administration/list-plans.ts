import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'
import { planOnWire } from './plan-on-wire.ts'

export const listPlans = implement(operations.listPlans)(async (_input, context) => {
  await requireInstallationAdmin(context, 'plan_not_found')
  const plans = await context.deps.stores.administration.listPlans(context.caller)
  return { plans: plans.map(planOnWire) }
})
