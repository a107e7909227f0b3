import { newId } from '@flamegate/contract'
import type { Incident, StatusComponent, StatusStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'

/** What comes back so soon is the same. */
const sameWithin = sql`interval '5 minutes'`

export function statusStore({ auth }: Pick<Database, 'auth'>): StatusStore {
  return {
    async markWorked(component) {
      await execute(
        auth,
        sql`INSERT INTO component_health (component, worked_at) VALUES (${component}, now())
          ON CONFLICT (component) DO UPDATE SET worked_at = now()`,
      )
    },

    async agesMs() {
      const rows = await queryRows<{ component: StatusComponent; ageMs: number }>(
        auth,
        sql`SELECT component, greatest(0, extract(epoch FROM now() - worked_at) * 1000)::float8 AS "ageMs"
          FROM component_health`,
      )
      return Object.fromEntries(rows.map(({ component, ageMs }) => [component, ageMs]))
    },

    listIncidents: ({ limit }) =>
      queryRows<Incident>(
        auth,
        sql`SELECT id, component, title, message, is_observed AS "isObserved", began_at AS "beganAt",
            ended_at AS "endedAt"
          FROM incidents WHERE began_at > now() - interval '90 days' OR ended_at IS NULL
          ORDER BY began_at DESC, id DESC LIMIT ${limit}`,
      ),

    async beginObserved({ component, title, beganAt }) {
      const lasting = await execute(
        auth,
        sql`UPDATE incidents SET ended_at = NULL WHERE id = (
            SELECT id FROM incidents WHERE component = ${component} AND is_observed
              AND (ended_at IS NULL OR ended_at > now() - ${sameWithin})
            ORDER BY began_at DESC LIMIT 1)`,
      )
      if (lasting > 0) return
      await execute(
        auth,
        sql`INSERT INTO incidents (id, component, title, is_observed, began_at)
          VALUES (${newId('incident')}, ${component}, ${title}, true, least(${beganAt}::timestamptz, now()))
          ON CONFLICT (component) WHERE ended_at IS NULL AND is_observed DO NOTHING`,
      )
    },

    async endObserved(component) {
      await execute(
        auth,
        sql`UPDATE incidents SET ended_at = now()
          WHERE component = ${component} AND is_observed AND ended_at IS NULL`,
      )
    },

    async open({ component, title, message }) {
      const id = newId('incident')
      await execute(
        auth,
        sql`INSERT INTO incidents (id, component, title, message, is_observed, began_at)
          VALUES (${id}, ${component}, ${title}, ${message}, false, now())`,
      )
      return id
    },

    async update(id, { message, isEnded = false }) {
      const changed = await execute(
        auth,
        sql`UPDATE incidents SET message = coalesce(${message ?? null}, message),
            ended_at = CASE WHEN ${isEnded} THEN coalesce(ended_at, now()) ELSE ended_at END
          WHERE id = ${id}`,
      )
      return changed > 0
    },
  }
}
