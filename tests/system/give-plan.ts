import type { PlanLimits } from '@flamegate/contract'
import { openPlatformDatabase } from './database-access.ts'
import type { Person } from './person.ts'

/** Gives a workspace a plan that is like `free`, but for these limits, as an administrator of the installation does. */
export async function givePlan({ userId, workspaceId }: Person, limits: Partial<PlanLimits>): Promise<void> {
  const database = await openPlatformDatabase()
  try {
    await database.asAuth(async (client) => {
      await client.query(`SELECT set_config('flamegate.user_id', $1, true)`, [userId])
      await client.query('INSERT INTO installation_admins (user_id) VALUES ($1)', [userId])
      await client.query(
        `INSERT INTO plans (id, title, position, limits)
          SELECT $1, 'Tiny', 9, limits || $2 FROM plans WHERE id = 'free'`,
        [`of ${workspaceId}`, limits],
      )
      await client.query('UPDATE workspaces SET plan_id = $1 WHERE id = $2', [
        `of ${workspaceId}`,
        workspaceId,
      ])
      await client.query('DELETE FROM installation_admins WHERE user_id = $1', [userId])
    })
  } finally {
    await database.close()
  }
}
