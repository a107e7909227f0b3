import { planLimitsSchema } from '@flamegate/contract'
import type { Plan, PlanStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { queryRows, sql } from '../sql.ts'

/** How long another process goes by a plan that was changed. */
const rememberedForMs = 10_000
const rememberedMax = 10_000

export function planStore(database: Database): PlanStore {
  const remembered = new Map<string, { plan: Plan; until: number }>()

  async function find(workspaceId: string): Promise<Plan> {
    const [row] = await queryRows<{ id: string; title: string; limits: unknown }>(
      database.auth,
      sql`SELECT id, title, limits FROM plans
        WHERE id = coalesce((SELECT plan_id FROM workspaces WHERE workspaces.id = ${workspaceId}), 'free')`,
    )
    if (row === undefined) throw new Error('There is no plan for new workspaces')
    const plan: Plan = { ...row, limits: planLimitsSchema.parse(row.limits) }
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(workspaceId, { plan, until: Date.now() + rememberedForMs })
    return plan
  }

  return {
    ofWorkspace(workspaceId) {
      const known = remembered.get(workspaceId)
      return known !== undefined && Date.now() < known.until ? known.plan : find(workspaceId)
    },
  }
}
