import type { Monitor } from '@flamegate/loadtest'
import { Client, types, TypeOverrides } from 'pg'
import { answerWithinMs, type Collector, type Reading } from './reading.ts'

type PostgresMonitor = Extract<Monitor, { type: 'postgres' }>
type Row = Record<string, unknown>

/** Columns that say what a row is of. */
const notCounted = new Set(['datid', 'stats_reset'])
const gauges = new Set(['numbackends'])

/** https://www.postgresql.org/docs/current/monitoring-stats.html */
export async function postgresCollector(
  { host, port, user, database, tls }: PostgresMonitor,
  secret: string | null,
): Promise<Collector> {
  const numbers = new TypeOverrides()
  numbers.setTypeParser(types.builtins.INT8, Number)
  numbers.setTypeParser(types.builtins.NUMERIC, Number)
  const client = new Client({
    host,
    port,
    user,
    database,
    password: secret ?? '',
    ssl: tls === 'disable' ? false : { rejectUnauthorized: tls === 'verify_full' },
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    application_name: 'flamegate monitor',
    types: numbers,
  })
  // Whoever reads next is told.
  let failure: Error | undefined
  client.on('error', (error) => {
    failure ??= error
  })
  await client.connect()
  const rows = async (query: string): Promise<Row[]> => (await client.query<Row>(query)).rows
  const [version] = await rows(`SELECT current_setting('server_version_num')::int AS number`)
  const views = ['bgwriter', ...(Number(version?.['number']) >= 170_000 ? ['checkpointer'] : [])]
  return {
    async read() {
      if (failure !== undefined) throw failure
      const readings: Reading[] = []
      const [database_ = {}] = await rows('SELECT * FROM pg_stat_database WHERE datname = current_database()')
      readings.push(...readingsOf('database', database_))
      for (const view of views) {
        // oxlint-disable-next-line no-await-in-loop -- one connection does one thing at a time
        const [row = {}] = await rows(`SELECT * FROM pg_stat_${view}`)
        readings.push(...readingsOf(view, row))
      }
      const [activity = {}] = await rows(activityQuery)
      return [
        ...readings,
        ...Object.entries(activity).map(([name, value]) => ({
          name,
          unit: name.endsWith('_seconds') ? 's' : name.endsWith('size') ? 'bytes' : '',
          kind: 'gauge' as const,
          value: Number(value),
          isUsual: true,
        })),
      ]
    },
    close: () => client.end(),
  }
}

/** Of people and programs, without the server's own processes; ours is one of them. */
const activityQuery = `SELECT
    count(*) FILTER (WHERE backend_type = 'client backend') AS "connections.all",
    count(*) FILTER (WHERE state = 'active') AS "connections.active",
    count(*) FILTER (WHERE state = 'idle') AS "connections.idle",
    count(*) FILTER (WHERE state LIKE 'idle in transaction%') AS "connections.idle_in_transaction",
    count(*) FILTER (WHERE wait_event_type = 'Lock') AS "connections.waiting_for_lock",
    current_setting('max_connections')::int AS "connections.max",
    coalesce(max(extract(epoch FROM clock_timestamp() - xact_start))
      FILTER (WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()), 0) AS "longest_transaction_seconds",
    pg_database_size(current_database()) AS "database.size",
    (SELECT coalesce(max(extract(epoch FROM replay_lag)), 0) FROM pg_stat_replication) AS "replication_lag_seconds"
  FROM pg_stat_activity`

function readingsOf(view: string, row: Row): Reading[] {
  return Object.entries(row).flatMap(([column, value]) =>
    typeof value !== 'number' || notCounted.has(column)
      ? []
      : [
          {
            name: `${view}.${column}`,
            ...(gauges.has(column)
              ? { kind: 'gauge' as const, unit: '' }
              : { kind: 'counter' as const, unit: unitOf(column) }),
            value,
            isUsual: true,
          },
        ],
  )
}

function unitOf(column: string): string {
  if (column.endsWith('_time')) return 'ms/s'
  return column.endsWith('_bytes') ? 'bytes/s' : '/s'
}
