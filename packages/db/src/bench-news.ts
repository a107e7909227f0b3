import type { BenchNews } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from './database.ts'
import { listenTo } from './notification-listener.ts'
import { execute, sql } from './sql.ts'

/** Triggers of the database tell it, but for seconds. */
const channel = 'flamegate_bench_news'

/**
 * Calls back for all that becomes of bench runs from now on, of whichever workspace and on whatever process; resolves once
 * it listens. `onMissed`: after a break of the connection, in which something may have been missed.
 */
export function watchBenchNews(
  database: Database,
  { onNews, onMissed }: { onNews: (news: BenchNews) => void; onMissed: () => void },
): Promise<{ close(): Promise<void> }> {
  let hasListened = false
  return listenTo(database, {
    name: channel,
    about: 'bench news',
    onPayload: (payload) => onNews(JSON.parse(payload)),
    onListening() {
      if (hasListened) onMissed()
      hasListened = true
      return Promise.resolve()
    },
  })
}

/** Whoever looks at a run is told as often, and transactions that tell something end one after the other. */
const secondsEveryMs = 2_000
const runsMax = 1_000
/** When seconds of a run were last told of by this process. */
const toldAt = new Map<string, number>()

/** Tells of the newest second of a run when the transaction commits, unless that was just done. */
export async function tellSeconds(client: ClientBase, benchResultId: string, second: number): Promise<void> {
  const now = Date.now()
  if (now - (toldAt.get(benchResultId) ?? 0) < secondsEveryMs) return
  toldAt.delete(benchResultId)
  const [oldest] = toldAt.keys()
  if (toldAt.size >= runsMax && oldest !== undefined) toldAt.delete(oldest)
  toldAt.set(benchResultId, now)
  const news: BenchNews = { of: 'series', benchResultId, second }
  await execute(client, sql`SELECT pg_notify(${channel}, ${JSON.stringify(news)})`)
}
