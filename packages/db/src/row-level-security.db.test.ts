import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginStatement, type RowScope } from './row-scope.ts'
import { databaseRoles } from './roles.ts'
import { discoverTables, insertion } from './tenant-tables.ts'
import { copyDatabase, inSequence } from './testing.ts'

const nobody: RowScope = {
  userId: '',
  readWorkspaceIds: [],
  writeWorkspaceIds: [],
  adminWorkspaceIds: [],
  isReadOnly: false,
}
const ownerOf = (workspaceId: string): RowScope => ({
  userId: `user of ${workspaceId}`,
  readWorkspaceIds: [workspaceId],
  writeWorkspaceIds: [workspaceId],
  adminWorkspaceIds: [workspaceId],
  isReadOnly: false,
})
const viewerOf = (workspaceId: string): RowScope => ({
  ...nobody,
  userId: 'viewer',
  readWorkspaceIds: [workspaceId],
})

// Audit events are about what a viewer does as well.
const viewersMayAddTo = new Set(['audit_events'])

const database = await copyDatabase()
const admin = new Client(database.adminUrl)
const app = new Client(database.appUrl)
await admin.connect()
await app.connect()
// Operations see nothing at all of the keys.
const tables = (await discoverTables(admin)).filter(({ name }) => name !== 'data_keys')

beforeAll(async () => {
  // Rows of two workspaces in every table, without regard to what they refer to.
  await admin.query('SET session_replication_role = replica')
  await inSequence(tables, async (table) => {
    await admin.query(...insertion(table, 'ws_a', 'first'))
    await admin.query(...insertion(table, 'ws_b', 'first'))
  })
})
afterAll(async () => {
  await app.end()
  await admin.end()
})

test('there are tenant tables to look at', () => {
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'workspaces',
      'memberships',
      'projects',
      'runs',
      'profile_parts',
      'audit_events',
    ]),
  )
})

test('every table of the schema is closed unless a policy opens it', async () => {
  const { rows } = await admin.query(`SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations'
      AND NOT (relrowsecurity AND relforcerowsecurity)`)
  expect(rows).toEqual([])
})

test('the owner reads every table while it backs up, and none otherwise', async () => {
  const { rows } = await admin.query(`SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname <> '_prisma_migrations' AND NOT EXISTS (SELECT FROM pg_policies WHERE tablename = relname AND policyname = 'backed_up'
        AND cmd = 'SELECT' AND roles = '{flamegate_owner}' AND qual LIKE '%flamegate.backs_up%')`)
  expect(rows).toEqual([])
})

describe.each(tables)('$name', (table) => {
  const { name, workspaceColumn } = table
  const counted = `SELECT count(*)::int AS count FROM ${name} WHERE ${workspaceColumn} = 'ws_a'`

  test('has the workspace in a unique key', async () => {
    const { rows } = await admin.query(
      `SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
        WHERE indrelid = $1::regclass AND indisunique AND attname = $2`,
      [name, workspaceColumn],
    )
    expect(rows).not.toEqual([])
  })

  test('shows a row to an owner of its workspace', async () => {
    expect(await attempt(ownerOf('ws_a'), counted)).toEqual({ rows: [{ count: 1 }], rowCount: 1 })
  })

  test.each([
    ['nobody', nobody],
    ['an owner of another workspace', ownerOf('ws_b')],
  ])('shows no row to %s', async (_who, scope) => {
    expect(await attempt(scope, counted)).toEqual({ rows: [{ count: 0 }], rowCount: 1 })
  })

  test('shows no row without settings at all', async () => {
    const fresh = new Client(database.appUrl)
    await fresh.connect()
    const { rows } = await fresh.query(`SELECT count(*)::int AS count FROM ${name}`)
    await fresh.end()
    expect(rows).toEqual([{ count: 0 }])
  })

  test.each([
    ['nobody', nobody],
    ['an owner of another workspace', ownerOf('ws_b')],
    ['a viewer', viewerOf('ws_a')],
  ])('lets %s add, change and remove nothing', async (who, scope) => {
    const before = await contents(name)
    const [insertText, insertValues] = insertion(table, 'ws_a', 'second')
    const additions =
      who === 'a viewer' && viewersMayAddTo.has(name) ? [] : [{ text: insertText, values: insertValues }]
    const { rows: changeable } = await admin.query<{ attname: string }>(
      `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
        AND has_column_privilege('flamegate_app', attrelid, attnum, 'UPDATE')`,
      [name],
    )
    const attempts: { text: string; values?: unknown[] }[] = [
      ...additions,
      ...changeable.map(({ attname }) => ({
        text: `UPDATE ${name} SET ${attname} = ${attname} WHERE ${workspaceColumn} = 'ws_a'`,
      })),
      { text: `DELETE FROM ${name} WHERE ${workspaceColumn} = 'ws_a'` },
      { text: `DELETE FROM ${name} WHERE ${workspaceColumn} <> 'ws_b'` },
      // One's own row does not move into another workspace either.
      { text: `UPDATE ${name} SET ${workspaceColumn} = 'ws_a' WHERE ${workspaceColumn} = 'ws_b'` },
    ]
    await inSequence(attempts, async ({ text, values = [] }) => {
      const outcome = await attempt(scope, text, values)
      expect([text, outcome]).toEqual([text, expect.toSatisfy(changedNothing)])
    })
    expect(await contents(name)).toBe(before)
  })
})

/** What belongs to a project, in some way. */
const projectTables = tables.flatMap((table) => {
  const ownId = table.name === 'projects' ? 'first id of ws_a' : 'first project_id of ws_a'
  const has = (column: string) => table.columns.some(({ name }) => name === column)
  const isOfProject =
    has('project_id') ||
    has('bench_result_id') ||
    ['projects', 'benchmark_results', 'profile_parts'].includes(table.name)
  return isOfProject ? [{ ...table, ownId: has('project_id') || has('slug') ? ownId : undefined }] : []
})

const at = (projectId: string | undefined) => ({ ...ownerOf('ws_a'), projectId })

describe.each(projectTables)('for a caller of one project, $name', (table) => {
  const { name, ownId } = table
  const counted = `SELECT count(*)::int AS count FROM ${name}`

  test.runIf(ownId !== undefined)('shows what belongs to it', async () => {
    expect(await attempt(at(ownId), counted)).toEqual({ rows: [{ count: 1 }], rowCount: 1 })
  })

  test('shows nothing of another project of the workspace, and takes nothing for it', async () => {
    const elsewhere = at('another project')
    expect(await attempt(elsewhere, counted)).toEqual({ rows: [{ count: 0 }], rowCount: 1 })
    const outcomes = [
      await attempt(elsewhere, ...insertion(table, 'ws_a', 'second')),
      await attempt(elsewhere, `UPDATE ${name} SET workspace_id = workspace_id`),
      await attempt(elsewhere, `DELETE FROM ${name}`),
    ]
    expect(outcomes).toEqual(outcomes.map(() => expect.toSatisfy(changedNothing)))
  })
})

describe('roles', () => {
  test('none but the administrator is above row-level security, and only the owner owns', async () => {
    const { rows } = await admin.query(
      `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
        (SELECT count(*)::int FROM pg_class WHERE relowner = pg_roles.oid) > 0 AS owns,
        (SELECT count(*)::int FROM pg_auth_members WHERE member = pg_roles.oid) AS memberships
      FROM pg_roles WHERE rolname = ANY ($1) ORDER BY rolname`,
      [Object.values(databaseRoles)],
    )
    const plain = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      owns: false,
      memberships: 0,
    }
    expect(rows).toEqual([
      { rolname: 'flamegate_app', ...plain },
      { rolname: 'flamegate_auth', ...plain },
      { rolname: 'flamegate_owner', ...plain, owns: true },
      { rolname: 'flamegate_queue', ...plain },
    ])
  })

  test('operations cannot read password hashes, token hashes, sessions or OAuth records', async () => {
    const secrets = [
      'SELECT password_hash FROM users',
      'SELECT * FROM users',
      'SELECT token_hash FROM api_tokens',
      'SELECT token_hash FROM invitations',
      'SELECT secret_hash FROM share_links',
      'SELECT FROM sessions',
      'SELECT FROM oauth_records',
      'SELECT FROM oauth_keys',
      'SELECT FROM _prisma_migrations',
    ]
    const outcomes = await inSequence(secrets, (text) => attempt(ownerOf('ws_a'), text))
    expect(outcomes).toEqual(secrets.map(() => '42501'))
  })

  test('the audit log is append-only, even for an owner', async () => {
    expect(await attempt(ownerOf('ws_a'), "UPDATE audit_events SET outcome = 'ok'")).toBe('42501')
    expect(await attempt(ownerOf('ws_a'), 'DELETE FROM audit_events')).toBe('42501')
  })

  test('authentication cannot read what workspaces store', async () => {
    const { rows } = await admin.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND has_any_column_privilege('flamegate_auth', oid, 'SELECT') ORDER BY relname`,
    )
    expect(rows.map(({ relname }) => relname)).toEqual([
      // Of this only which have been applied.
      '_prisma_migrations',
      'alert_thresholds',
      'api_tokens',
      'attempts',
      // Of this only what is no operation, or belongs to no workspace.
      'audit_events',
      // Of this only whose is which address.
      'badges',
      // Of this only which have not ended, or are past their time.
      'bench_results',
      'component_health',
      'data_keys',
      // Of this only what is due, and where.
      'deliveries',
      // Of this only which were given to be imported, and which are prints.
      'files',
      'idempotency_keys',
      'incidents',
      'installation_admins',
      'invitations',
      'linked_sign_ins',
      // Of this only which apps have one that lasts.
      'live_alerts',
      // Of this only which have not ended, or have something that grows old.
      'live_apps',
      'mcp_sessions',
      'memberships',
      'oauth_client_documents',
      'oauth_clients',
      'oauth_grants',
      'oauth_keys',
      'oauth_records',
      'oauth_revocations',
      'passkeys',
      'plans',
      // Of this only which are past their time.
      'profiles',
      // Of this only which repositories upload without a token.
      'projects',
      'recovery_codes',
      // Of this only which are still to be judged.
      'runs',
      // Of this only which are due.
      'schedules',
      'scim_tokens',
      'sessions',
      // Of this only what is public.
      'share_links',
      'sso_domains',
      'sso_identities',
      // Of this only which have not ended.
      'tasks',
      'tickets',
      'totp_secrets',
      // As administrators of the installation.
      'usage_days',
      'users',
      // Of this only how old they are.
      'validations',
      'workspace_sso',
      'workspaces',
    ])
  })

  test('jobs see none of our tables, and may make their own', async () => {
    const queue = new Client(database.queueUrl)
    await queue.connect()
    await expect(queue.query('SELECT FROM runs')).rejects.toThrow('permission denied')
    await queue.query('CREATE SCHEMA jobs')
    await queue.end()
  })

  test("people of another workspace are strangers, one's own are not", async () => {
    await admin.query(`INSERT INTO users (id, email, name, password_hash)
      SELECT 'user of ' || ws, ws || '@example.com', ws, 'hash' FROM unnest(ARRAY['ws_a', 'ws_b', 'ws_c']) AS ws`)
    await admin.query("UPDATE memberships SET user_id = 'user of ' || workspace_id")
    expect(await attempt(viewerOf('ws_a'), 'SELECT id FROM users')).toEqual({
      rows: [{ id: 'user of ws_a' }],
      rowCount: 1,
    })
  })
})

type Outcome = string | { rows: unknown[]; rowCount: number | null }

function changedNothing(outcome: unknown): boolean {
  return (
    outcome === '42501' ||
    (typeof outcome === 'object' && outcome !== null && Reflect.get(outcome, 'rowCount') === 0)
  )
}

/** Runs a statement as the application in a transaction that is rolled back; gives the SQLSTATE when it fails. */
async function attempt(scope: RowScope, text: string, values: unknown[] = []): Promise<Outcome> {
  await app.query(beginStatement(scope))
  try {
    const { rows, rowCount } = await app.query(text, values)
    return { rows, rowCount }
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'))
  } finally {
    await app.query('ROLLBACK')
  }
}

async function contents(table: string): Promise<string> {
  const { rows } = await admin.query<{ all: string }>(
    `SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS all FROM ${table} AS t`,
  )
  return rows[0]?.all ?? ''
}
