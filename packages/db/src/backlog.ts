import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

/** Work of one kind that is due and was not done yet, in all workspaces. */
export interface Backlog {
  kind: 'deliveries' | 'runs_to_judge' | 'schedules' | 'expired_profiles'
  count: number
  /** How long the first of them has been due; 0 when there is none. */
  oldestMs: number
}

/** What the database says is due, whatever the queue knows of it, and how large the database is. */
export async function lookAtBacklog(database: Database): Promise<{ backlog: Backlog[]; sizeBytes: number }> {
  const [backlog, [size]] = await Promise.all([
    queryRows<Backlog>(
      database.auth,
      sql`SELECT kind, count(due)::int AS count,
          greatest(0, coalesce(extract(epoch FROM now() - min(due)) * 1000, 0))::float8 AS "oldestMs"
        FROM (VALUES ('deliveries'), ('runs_to_judge'), ('schedules'), ('expired_profiles')) AS kinds (kind)
        LEFT JOIN (
          SELECT 'deliveries' AS of_kind, next_at AS due FROM deliveries WHERE next_at <= now()
          UNION ALL SELECT 'runs_to_judge', unjudged_since FROM runs WHERE unjudged_since <= now()
          UNION ALL SELECT 'schedules', next_run_at FROM schedules WHERE next_run_at <= now()
          UNION ALL SELECT 'expired_profiles', expires_at FROM profiles WHERE expires_at <= now()
        ) AS waiting ON of_kind = kind
        GROUP BY kind ORDER BY kind`,
    ),
    queryRows<{ sizeBytes: number }>(
      database.auth,
      sql`SELECT pg_database_size(current_database())::float8 AS "sizeBytes"`,
    ),
  ])
  return { backlog, sizeBytes: size?.sizeBytes ?? 0 }
}
