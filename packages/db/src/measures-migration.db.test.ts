import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrationsBefore } from './migrations-before.ts'
import { emptyDatabase } from './testing.ts'

const migration = '20261121160000_measures'
let earlier = ''

beforeAll(async () => {
  earlier = await migrationsBefore(migration)
})
afterAll(() => rm(earlier, { recursive: true, force: true }))

test('results from before keep their statistics, whose names say no unit any more, and are of time', async () => {
  const { adminUrl, ownerUrl } = await emptyDatabase()
  await migrate(ownerUrl, earlier)
  const admin = new Client(adminUrl)
  await admin.connect()
  try {
    await admin.query(`
      INSERT INTO workspaces (id, slug, name) VALUES ('ws_a', 'a', 'A');
      INSERT INTO projects (workspace_id, id, slug, name) VALUES ('ws_a', 'prj_a', 'a', 'A');
      INSERT INTO runs (workspace_id, id, project_id, branch, commit_hash, event, created_by)
        VALUES ('ws_a', 'run_a', 'prj_a', 'main', 'abc', 'push', 'usr_a');
      INSERT INTO benchmarks (workspace_id, id, project_id, uri, name, instrument)
        VALUES ('ws_a', 'ben_a', 'prj_a', 'a', 'a', 'walltime'), ('ws_a', 'ben_b', 'prj_a', 'b', 'b', 'walltime');
      INSERT INTO benchmark_results (workspace_id, run_id, benchmark_id, value, unit, stats, metrics)
        VALUES ('ws_a', 'run_a', 'ben_a', 2, 'ns', '{"statistic": "median", "q1Ns": 1, "medianNs": 2, "rounds": 9}', '[]'),
          ('ws_a', 'run_a', 'ben_b', 2, 'ns', '{}', '[]');
    `)
    expect(await migrate(ownerUrl)).toContain(migration)
    const results = await admin.query(
      'SELECT benchmark_id, stats FROM benchmark_results ORDER BY benchmark_id',
    )
    expect(results.rows).toEqual([
      { benchmark_id: 'ben_a', stats: { statistic: 'median', q1: 1, median: 2, rounds: 9 } },
      { benchmark_id: 'ben_b', stats: {} },
    ])
    const benchmarks = await admin.query('SELECT DISTINCT metric, better_when FROM benchmarks')
    expect(benchmarks.rows).toEqual([{ metric: 'time', better_when: 'lower' }])
    const open = await admin.query(
      "SELECT relname FROM pg_class WHERE relname = 'benchmark_results' AND NOT relforcerowsecurity",
    )
    expect(open.rows).toEqual([])
  } finally {
    await admin.end()
  }
})
