import type { UsageDay, UsageStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { queryRows, sql } from '../sql.ts'

export function usageStore(database: Database): UsageStore {
  return {
    listDays: (caller, workspaceId, { from, to }) =>
      database.asCallerSql(caller, (client) =>
        queryRows<UsageDay>(
          client,
          sql`SELECT day, calls, uploads, upload_bytes AS "uploadBytes", agent_seconds AS "agentSeconds",
              storage_bytes AS "storageBytes"
            FROM usage_days WHERE workspace_id = ${workspaceId} AND day BETWEEN ${from} AND ${to} ORDER BY day`,
        ),
      ),

    countUpload: (caller, workspaceId, { sizeBytes, uploadsMax }) =>
      database.asCallerSql(caller, async (client) => {
        const most = uploadsMax === Infinity ? null : uploadsMax
        const [row] = await queryRows<{ isCounted: boolean }>(
          client,
          sql`SELECT flamegate_meter_upload(${workspaceId}, ${sizeBytes}::bigint, ${most}::bigint) AS "isCounted"`,
        )
        return row?.isCounted === true
      }),

    countStorageBytes: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const [row] = await queryRows<{ bytes: number }>(
          client,
          sql`SELECT flamegate_storage_bytes(${workspaceId}) AS bytes`,
        )
        return row?.bytes ?? 0
      }),

    countAgentSeconds: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const [row] = await queryRows<{ usedSeconds: number; promisedSeconds: number }>(
          client,
          sql`SELECT
            (SELECT coalesce(sum(agent_seconds), 0)::bigint FROM usage_days WHERE workspace_id = ${workspaceId}
              AND day >= to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-01')) AS "usedSeconds",
            flamegate_promised_agent_seconds(${workspaceId}) AS "promisedSeconds"`,
        )
        return row ?? { usedSeconds: 0, promisedSeconds: 0 }
      }),
  }
}
