import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrationsBefore } from './migrations-before.ts'
import { emptyDatabase } from './testing.ts'

const searchMigration = '20261121120500_search'
let earlier = ''

beforeAll(async () => {
  earlier = await migrationsBefore(searchMigration)
})
afterAll(() => rm(earlier, { recursive: true, force: true }))

test('what was stored before can be found, and files of uploads know their run', async () => {
  const { adminUrl, ownerUrl } = await emptyDatabase()
  expect(await migrate(ownerUrl, earlier)).not.toContain(searchMigration)

  const admin = new Client(adminUrl)
  await admin.connect()
  try {
    await admin.query(`
      INSERT INTO workspaces (id, slug, name) VALUES ('ws_a', 'a', 'A');
      INSERT INTO projects (workspace_id, id, slug, name) VALUES ('ws_a', 'prj_a', 'a', 'Quagga');
      INSERT INTO runs (workspace_id, id, project_id, branch, commit_hash, event, created_by)
        VALUES ('ws_a', 'run_a', 'prj_a', 'main', 'abc', 'push', 'usr_a'), ('ws_a', 'run_b', 'prj_a', 'main', 'abd', 'push', 'usr_a');
      INSERT INTO files (workspace_id, id, project_id, purpose, name, content_type, size_bytes, storage_key, created_by)
        VALUES ('ws_a', 'fil_a', 'prj_a', 'import_results', 'a.txt', 'text/plain', 1, 'a', 'usr_a'),
          ('ws_a', 'fil_b', 'prj_a', 'import_profile', 'b.pb', 'text/plain', 1, 'b', 'usr_a'),
          ('ws_a', 'fil_c', 'prj_a', 'import_profile', 'c.pb', 'text/plain', 1, 'c', 'usr_a');
      INSERT INTO tasks (workspace_id, id, project_id, kind, result, created_by)
        VALUES ('ws_a', 'tsk_a', 'prj_a', 'import_results', '{"file_id": "fil_a", "run_id": "run_a"}', 'usr_a');
      INSERT INTO profiles (workspace_id, id, project_id, run_id, file_id, name, type, created_by)
        VALUES ('ws_a', 'prf_b', 'prj_a', 'run_b', 'fil_b', 'cpu', 'cpu', 'usr_a'),
          ('ws_a', 'prf_c', 'prj_a', NULL, 'fil_c', 'cpu', 'cpu', 'usr_a');
    `)
    expect(await migrate(ownerUrl)).toContain(searchMigration)

    const words = await admin.query(
      `SELECT document_id FROM search_words WHERE word IN ('quagga', 'abc') ORDER BY 1`,
    )
    expect(words.rows).toEqual([{ document_id: 'prj_a' }, { document_id: 'run_a' }])
    const files = await admin.query('SELECT id, run_id FROM files ORDER BY id')
    expect(files.rows).toEqual([
      { id: 'fil_a', run_id: 'run_a' },
      { id: 'fil_b', run_id: 'run_b' },
      { id: 'fil_c', run_id: null },
    ])
    const open = await admin.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND relname <> '_prisma_migrations' AND NOT relforcerowsecurity`,
    )
    expect(open.rows).toEqual([])
  } finally {
    await admin.end()
  }
})
