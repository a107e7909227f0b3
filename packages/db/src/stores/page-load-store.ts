import { type PageLoadStore, pageLoadsMax, type StoredPageLoad } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql } from '../sql.ts'
import { storableJson } from '../storable.ts'

export function pageLoadStore(database: Database): PageLoadStore {
  return {
    add: (caller, { workspaceId, benchResultId, slot }, loads) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        // Series that were removed take no page loads any more.
        await execute(
          client,
          sql`INSERT INTO bench_page_loads (workspace_id, bench_result_id, agent, sequence, second, profile, action,
              page, ttfb_ms, fcp_ms, lcp_ms, cls, inp_ms)
            SELECT ${workspaceId}, ${benchResultId}, ${slot}, sequence, second, profile, action,
              page, ttfb, fcp, lcp, cls, inp
            FROM jsonb_to_recordset(${storableJson(loads)}::jsonb) AS row(sequence int, second int, profile int,
              action int, page text, ttfb float8, fcp float8, lcp float8, cls float8, inp float8)
            WHERE EXISTS (SELECT FROM bench_series
                WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId})
              AND (SELECT count(*) FROM bench_page_loads
                WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}) < ${pageLoadsMax}
            ON CONFLICT (workspace_id, bench_result_id, agent, sequence) DO NOTHING`,
        )
      }),

    list: (caller, benchResultId, { from, to, profiles, actions }) =>
      database.asCallerSql(caller, (client) =>
        queryRows<StoredPageLoad>(
          client,
          sql`SELECT second, profile, action, page, ttfb_ms AS ttfb, fcp_ms AS fcp, lcp_ms AS lcp, cls, inp_ms AS inp
            FROM bench_page_loads
            WHERE bench_result_id = ${benchResultId} AND second >= ${from} AND second < ${to}
              ${profiles === undefined ? nothing : sql`AND profile = ANY (${[...profiles]}::int[])`}
              ${actions === undefined ? nothing : sql`AND action = ANY (${[...actions]}::int[])`}
            ORDER BY second, agent, sequence`,
        ),
      ),
  }
}
