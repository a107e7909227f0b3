import { newId } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { prepareStores, testCaller, type Person } from '../testing.ts'

const at = prepareStores()
let root: Person
let bob: Person

beforeAll(async () => {
  root = await at.signUp('root')
  bob = await at.signUp('bob')
})
beforeEach(async () => {
  await at.admin.query('DELETE FROM installation_admins')
  await at.admin.query('ALTER TABLE users DISABLE TRIGGER only_admins_disable')
  await at.admin.query('UPDATE users SET disabled_at = NULL, disabled_reason = NULL')
  await at.admin.query('ALTER TABLE users ENABLE TRIGGER only_admins_disable')
  await administration().isAdmin(root.userId, true)
})

const administration = () => at.stores.administration
const asRoot = (access: 'read' | 'admin' = 'admin') => testCaller(root.userId, {}, access)
const asBob = () => testCaller(bob.userId, { [bob.workspaceId]: 'owner' })
const everything = { limit: 100 }
const disable = () => administration().setDisabled(asRoot(), bob.userId, { reason: 'Left.' })
const inAnHour = () => new Date(Date.now() + 3_600_000)

describe('the role', () => {
  test('is of whom the settings name, for as long as they do', async () => {
    expect(await administration().isAdmin(bob.userId, false)).toBe(false)
    expect(await administration().isAdmin(bob.userId, true)).toBe(true)
    expect(await administration().isAdmin(bob.userId, true)).toBe(true)
    expect(await administration().isAdmin(bob.userId, false)).toBe(false)
    const { rows } = await at.admin.query('SELECT user_id FROM installation_admins')
    expect(rows).toEqual([{ user_id: root.userId }])
  })

  test('is given and taken by those who have it, whatever the settings say', async () => {
    await administration().setAdmin(asRoot(), bob.userId, true)
    expect(await administration().isAdmin(bob.userId, false)).toBe(true)
    await administration().setAdmin(asBob(), root.userId, false)
    await expect(administration().setAdmin(asRoot(), bob.userId, false)).rejects.toThrow(NotPermitted)
  })

  test('is not taken by anybody else, and the database holds that by itself', async () => {
    await expect(administration().setAdmin(asBob(), bob.userId, true)).rejects.toThrow(NotPermitted)
    await expect(
      at.database.asPerson(bob.userId, (client) =>
        client.query('INSERT INTO installation_admins (user_id, granted_by) VALUES ($1, $1)', [bob.userId]),
      ),
    ).rejects.toThrow(NotPermitted)
    await expect(
      at.database.asPerson(bob.userId, (client) =>
        client.query("UPDATE users SET disabled_at = now(), disabled_reason = 'x' WHERE id = $1", [
          root.userId,
        ]),
      ),
    ).rejects.toThrow(NotPermitted)
    await expect(
      at.database.asPerson(root.userId, (client) =>
        client.query('INSERT INTO installation_admins (user_id, granted_by) VALUES ($1, $1)', [bob.userId]),
      ),
    ).rejects.toThrow(NotPermitted)
  })
})

describe('people and tenants', () => {
  test('are listed newest first, by name or address', async () => {
    const people = await administration().listPeople(asRoot('read'), everything, {})
    expect(people.map(({ name }) => name)).toEqual(['bob', 'root'])
    expect(people.map(({ isInstallationAdmin }) => isInstallationAdmin)).toEqual([false, true])
    const found = await administration().listPeople(asRoot('read'), everything, { search: 'BOB@' })
    expect(found).toMatchObject([{ id: bob.userId, workspaceCount: 1, sessionCount: 0, disabledAt: null }])
    const tenants = await administration().listTenants(asRoot('read'), everything, { search: 'of bob' })
    expect(tenants).toMatchObject([
      { id: bob.workspaceId, memberCount: 1, projectCount: 0, storageBytes: 0, deletesAt: null },
    ])
  })

  test('are counted with what is in a workspace', async () => {
    await at.stores.projects.create(asBob(), {
      id: newId('project'),
      workspaceId: bob.workspaceId,
      slug: 'api',
      name: 'api',
      description: '',
      tags: [],
      repository: null,
    })
    expect(await administration().findTenant(asRoot('read'), bob.workspaceId)).toMatchObject({
      projectCount: 1,
    })
  })

  test('are nobody else’s to see', async () => {
    expect(await administration().listPeople(asBob(), everything, {})).toEqual([])
    expect(await administration().findPerson(asBob(), root.userId)).toBeUndefined()
    expect(await administration().listTenants(asBob(), everything, {})).toEqual([])
    const counted = await at.database.asPerson(bob.userId, (client) =>
      client.query('SELECT size_bytes FROM files UNION ALL SELECT 1 FROM projects'),
    )
    expect(counted.rows).toEqual([])
  })
})

test('plans are changed, added and given by administrators alone', async () => {
  const [free] = await administration().listPlans(asRoot('read'))
  if (free === undefined) throw new Error('no plan')
  expect(free).toMatchObject({ id: 'free', workspaceCount: 2 })
  const limits = { ...free.limits, uploads_per_day: 7 }
  const added = await administration().setPlan(asRoot(), { id: 'small', title: 'Small', limits })
  expect(added).toMatchObject({ id: 'small', limits: { uploads_per_day: 7 }, workspaceCount: 0 })
  await administration().setTenantPlan(asRoot(), bob.workspaceId, 'small')
  expect(await at.stores.plans.ofWorkspace(bob.workspaceId)).toMatchObject({ id: 'small' })
  expect((await administration().listPlans(asRoot())).at(-1)).toMatchObject({
    id: 'small',
    workspaceCount: 1,
  })
  expect(await administration().listPlans(asBob())).toEqual([])
  await expect(administration().setTenantPlan(asBob(), bob.workspaceId, 'free')).rejects.toThrow(NotPermitted)
  await expect(
    at.database.asPerson(bob.userId, (client) =>
      client.query("UPDATE workspaces SET plan_id = 'free' WHERE id = $1", [bob.workspaceId]),
    ),
  ).rejects.toThrow(NotPermitted)
})

const keptFor = (days: number | null) => ({
  runs: days,
  profiles: days,
  bench_results: days,
  live_metrics: days,
  live_recordings: days,
  mcp_sessions: days,
  audit: days,
})

describe('what a plan would mean', () => {
  test('is told by what each workspace uses, and by what is too old but for baselines', async () => {
    const { rows } = await at.admin.query<{ id: string }>('SELECT id FROM projects WHERE workspace_id = $1', [
      bob.workspaceId,
    ])
    const projectId = rows[0]?.id
    await at.admin.query(
      `INSERT INTO files (workspace_id, id, purpose, name, content_type, size_bytes, storage_key, status, expires_at, created_by)
        VALUES ($1, 'f1', 'profile', 'a', 'text/plain', 700, 'k1', 'READY', NULL, $2),
          ($1, 'f2', 'request_log', 'b', 'text/plain', 50, 'k2', 'READY', NULL, $2),
          ($1, 'f3', 'profile', 'c', 'text/plain', 9000, 'k3', 'PENDING', now() - interval '1 hour', $2)`,
      [bob.workspaceId, bob.userId],
    )
    const run = (id: string, days: number) =>
      at.admin.query(
        `INSERT INTO runs (workspace_id, project_id, id, branch, commit_hash, event, status, created_at, created_by)
          VALUES ($1, $2, $3, 'main', 'abc', 'push', 'COMPLETED', now() - make_interval(days => $4), $5)`,
        [bob.workspaceId, projectId, id, days, bob.userId],
      )
    await run('run_old', 40)
    await run('run_base', 50)
    await run('run_new', 2)
    await at.admin.query("UPDATE projects SET baseline_run_id = 'run_base' WHERE id = $1", [projectId])
    const of = { workspaceId: bob.workspaceId }
    expect(await administration().listPlanUse(asRoot(), of, keptFor(30))).toMatchObject([
      {
        workspaceId: bob.workspaceId,
        storageBytes: 750,
        resultFileBytes: 50,
        resultBytes: 0,
        liveRecordingBytes: 0,
        mcpReportBytes: 0,
        uploadsToday: 0,
        oldRuns: 1,
        oldProfiles: 0,
        oldBenchResults: 0,
        oldLiveRecordings: 0,
        oldMcpSessions: 0,
      },
    ])
    expect(await administration().listPlanUse(asRoot(), of, keptFor(null))).toMatchObject([{ oldRuns: 0 }])
  })

  test('is told of the workspaces of that plan, to administrators alone', async () => {
    await administration().setTenantPlan(asRoot(), bob.workspaceId, 'team')
    const ofPlan = async (planId: string) => {
      const uses = await administration().listPlanUse(asRoot(), { planId }, keptFor(null))
      return uses.map(({ workspaceId }) => workspaceId)
    }
    expect(await ofPlan('team')).toEqual([bob.workspaceId])
    expect(await ofPlan('free')).toEqual([root.workspaceId])
    await expect(
      administration().listPlanUse(asBob(), { workspaceId: bob.workspaceId }, keptFor(null)),
    ).rejects.toThrow(NotPermitted)
  })
})

test('what all workspaces used in a month is summed up, the largest first, with those that are gone', async () => {
  await at.admin.query('DELETE FROM usage_days')
  await at.admin.query(
    `INSERT INTO usage_days (workspace_id, day, calls, uploads, storage_bytes) VALUES
      ($1, '2026-10-31', 100, 100, 1), ($1, '2026-11-01', 1, 2, 30), ($1, '2026-11-30', 2, 2, 20),
      ('ws_gone', '2026-11-05', 3, 9, 10), ($2, '2026-11-05', 5, 0, 0), ($2, '2026-12-01', 100, 100, 1)`,
    [bob.workspaceId, root.workspaceId],
  )
  const all = await administration().listUsage(asRoot('read'), '2026-11')
  expect(all.map(({ id }) => id)).toEqual([bob.workspaceId, root.workspaceId, 'ws_gone'].toSorted())
  expect(all.find(({ id }) => id === bob.workspaceId)).toEqual({
    id: bob.workspaceId,
    name: expect.stringContaining('bob'),
    slug: expect.any(String),
    plan: expect.any(String),
    calls: 3,
    uploads: 4,
    uploadBytes: 0,
    agentSeconds: 0,
    storageBytes: 30,
  })
  const page = async (after?: { value: number; id: string }) =>
    administration().listUsage(asRoot('read'), '2026-11', { sortBy: 'calls', limit: 1, after })
  const first = await page()
  expect(first[0]).toMatchObject({ id: root.workspaceId, calls: 5 })
  expect(first).toHaveLength(2)
  // Of two that used as much, each is told once.
  const second = await page({ value: 5, id: root.workspaceId })
  const third = await page({ value: 3, id: second[0]?.id ?? '' })
  expect(new Set([second[0]?.id, third[0]?.id])).toEqual(new Set([bob.workspaceId, 'ws_gone']))
  expect(third).toHaveLength(1)
  expect(all.at(-1)).toMatchObject({ id: 'ws_gone', name: null, slug: null, plan: null, uploads: 9 })
  expect(await administration().listUsage(asBob(), '2026-11')).toEqual([])
})

describe('whoever is disabled', () => {
  test('has no session, gets none, and is nowhere a member until they are let in again', async () => {
    const session = { tokenHash: newId('task'), userId: bob.userId, expiresAt: inAnHour(), userAgent: '' }
    await at.identity.createSession(session)
    expect(await at.identity.findSession(session.tokenHash)).toBeDefined()
    await disable()
    expect(await at.identity.findSession(session.tokenHash)).toBeUndefined()
    await expect(at.identity.createSession(session)).rejects.toThrow(/row-level security/)
    expect(await at.stores.memberships.rolesOf(bob.userId)).toEqual(new Map())
    expect(await at.identity.findUser(bob.userId)).toMatchObject({ disabledAt: expect.any(Date) })
    expect(await administration().findPerson(asRoot(), bob.userId)).toMatchObject({ disabledReason: 'Left.' })
    await administration().setDisabled(asRoot(), bob.userId, null)
    await at.identity.createSession(session)
    expect(await at.stores.memberships.rolesOf(bob.userId)).toEqual(new Map([[bob.workspaceId, 'owner']]))
  })

  test('loses connected apps at once, and the use of API tokens for that time', async () => {
    const tokenHash = newId('task')
    await at.stores.apiTokens.create(asBob(), {
      id: newId('apiToken'),
      workspaceId: bob.workspaceId,
      name: 'CI',
      prefix: 'fg_',
      tokenHash,
      scopes: ['upload'],
      expiresAt: null,
    })
    const grant = {
      id: newId('task'),
      userId: bob.userId,
      clientId: 'c',
      clientName: 'C',
      scopes: ['read' as const],
    }
    await at.identity.oauth.noteGrant({ ...grant, verifiedDomain: null, choices: {} })
    const heard: string[] = []
    const watch = await at.identity.watchRevocations((grantId) => heard.push(grantId))
    expect(await at.identity.findApiToken(tokenHash)).toBeDefined()
    await disable()
    expect(await at.identity.findApiToken(tokenHash)).toBeUndefined()
    await vi.waitFor(() => expect(heard).toContain(grant.id), { timeout: 5_000 })
    await watch.close()
    await administration().setDisabled(asRoot(), bob.userId, null)
    expect(await at.identity.findApiToken(tokenHash)).toBeDefined()
  })

  test('administers nothing any more', async () => {
    await administration().setAdmin(asRoot(), bob.userId, true)
    await disable()
    expect(await administration().listPeople(asBob(), everything, {})).toEqual([])
    await expect(administration().setDisabled(asBob(), bob.userId, null)).rejects.toThrow(NotPermitted)
  })
})

test('endSessions() logs a person out everywhere, who may come again', async () => {
  const session = { tokenHash: newId('task'), userId: bob.userId, expiresAt: inAnHour(), userAgent: '' }
  await at.identity.createSession(session)
  const ended = await administration().endSessions(asRoot(), bob.userId)
  expect(ended.sessions).toBeGreaterThanOrEqual(1)
  expect(await at.identity.findSession(session.tokenHash)).toBeUndefined()
  await at.identity.createSession(session)
  await expect(administration().endSessions(asBob(), root.userId)).rejects.toThrow(NotPermitted)
})
