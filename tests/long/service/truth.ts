import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@flamegate/db'
import type { Ledger } from './ledger.ts'

/** What the database itself says in the end. */
export interface Truth {
  /** Acknowledged writes, and those of which nobody knew, that are there more than once. */
  duplicates: number
  /** Of those that were cut off, so many were done. */
  unknownDone: number
  unknown: number
  /** Jobs of acknowledged uploads that have not ended. */
  openJobs: number
  /** Acknowledged runs that nobody judged. */
  unjudged: number
  openLoadTests: number
}

/** Looks as somebody above row-level security, for as long as jobs may still have to end. */
export async function countsInDatabase(url: string, ledger: Ledger): Promise<Truth> {
  const log = { info: () => undefined, error: () => undefined }
  const database = openDatabase({ appUrl: url, authUrl: url, poolSize: 1, log })
  const count = async (sql: string, values: unknown[]): Promise<number> => {
    const { rows } = await database.auth.query<{ count: string }>(sql, values)
    return Number(rows[0]?.count ?? 0)
  }
  const marks = [...ledger.acknowledged.map(({ mark }) => mark), ...ledger.unknown]
  const tasks = ledger.acknowledged.flatMap(({ taskId }) => (taskId === undefined ? [] : [taskId]))
  const runs = ledger.acknowledged.filter(({ kind }) => kind !== 'profile').map(({ id }) => id)
  const look = async (): Promise<Truth> => ({
    duplicates: await count(
      `SELECT count(*) FROM (
         SELECT mark FROM (SELECT commit_hash AS mark FROM runs UNION ALL SELECT name FROM profiles) AS all_marks
         WHERE mark = ANY($1) GROUP BY mark HAVING count(*) > 1) AS twice`,
      [marks],
    ),
    unknownDone: await count(
      `SELECT count(*) FROM (SELECT commit_hash AS mark FROM runs UNION SELECT name FROM profiles) AS all_marks
       WHERE mark = ANY($1)`,
      [ledger.unknown],
    ),
    unknown: ledger.unknown.length,
    openJobs: await count(
      `SELECT count(*) FROM tasks WHERE id = ANY($1) AND status NOT IN ('SUCCESS', 'FAILED', 'CANCELLED')`,
      [tasks],
    ),
    unjudged: await count(`SELECT count(*) FROM runs WHERE id = ANY($1) AND unjudged_since IS NOT NULL`, [
      runs,
    ]),
    openLoadTests: await count(
      `SELECT count(*) FROM bench_results WHERE state NOT IN ('FINISHED', 'ABORTED', 'ERROR')`,
      [],
    ),
  })
  try {
    let truth = await look()
    for (const deadline = Date.now() + 180_000; Date.now() < deadline; await pause(2_000)) {
      if (truth.openJobs + truth.unjudged + truth.openLoadTests === 0) break
      truth = await look()
    }
    return truth
  } finally {
    await database.close()
  }
}
