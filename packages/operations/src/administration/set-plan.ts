import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'
import { planConsequences } from './plan-consequences.ts'
import { planOnWire } from './plan-on-wire.ts'

export const setPlan = implement(operations.setPlan)(async (input, context) => {
  await requireInstallationAdmin(context, 'plan_not_found')
  const { plan_id: id, title, limits, dry_run } = input
  context.concerns(null, id)
  const { administration } = context.deps.stores
  const consequences = await planConsequences(context, limits, { planId: id })
  const wanted = { id, title, limits }
  const plan = dry_run
    ? { ...wanted, workspaceCount: await countWorkspaces(id) }
    : await administration.setPlan(context.caller, wanted)
  return { plan: planOnWire(plan), ...consequences, dry_run }

  async function countWorkspaces(planId: string): Promise<number> {
    const plans = await administration.listPlans(context.caller)
    return plans.find((each) => each.id === planId)?.workspaceCount ?? 0
  }
})
