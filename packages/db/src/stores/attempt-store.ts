import { createHash } from 'node:crypto'
import type { AttemptStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'

/** Attempts of all processes. One statement counts, so that of many at once no two are taken for the same one. */
export function attemptStore({ auth }: Database): AttemptStore {
  return {
    async count(key, { attempts, firstWaitMs, longestWaitMs }) {
      const keyHash = hashKey(key)
      // The time now and not that of the statement's beginning, which may be before what it waited for.
      const now = sql`date_trunc('milliseconds', clock_timestamp())`
      const forgiving = sql`(${longestWaitMs}::float8 * interval '1 millisecond')`
      const count = (expiresAt: Sql) =>
        sql`ceil(extract(epoch FROM ${expiresAt} - ${now}) / extract(epoch FROM ${forgiving}))::int`
      const wait = (counted: Sql) =>
        sql`interval '1 millisecond' * CASE WHEN ${counted} < ${attempts}::int THEN 0
          ELSE least(${longestWaitMs}::float8, ${firstWaitMs}::float8 * power(2, least(${counted} - ${attempts}::int, 40))) END`
      const next = sql`(greatest(known.expires_at, ${now}) + ${forgiving})`
      const [counted] = await queryRows<{ count: number }>(
        auth,
        sql`INSERT INTO attempts AS known (key_hash, next_at, expires_at)
          VALUES (${keyHash}, ${now} + ${wait(sql`1`)}, ${now} + ${forgiving})
          ON CONFLICT (key_hash) DO UPDATE SET next_at = ${now} + ${wait(count(next))}, expires_at = ${next}
          WHERE known.next_at <= clock_timestamp()
          RETURNING ${count(sql`expires_at`)} AS count`,
      )
      if (counted) return { count: counted.count, waitMs: 0 }
      const [refused] = await queryRows<{ count: number; wait_ms: number }>(
        auth,
        sql`SELECT ${count(sql`expires_at`)} AS count,
            greatest(1, ceil(extract(epoch FROM next_at - clock_timestamp()) * 1000))::float8 AS wait_ms
          FROM attempts WHERE key_hash = ${keyHash}`,
      )
      // Forgotten between the two: the next attempt counts, this one came too early all the same.
      return { count: refused?.count ?? attempts, waitMs: refused?.wait_ms ?? 1 }
    },

    async forget(key) {
      await execute(auth, sql`DELETE FROM attempts WHERE key_hash = ${hashKey(key)}`)
    },
  }
}

/** All the same length, and of no use to whoever reads the table. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
