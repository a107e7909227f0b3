import { newId, type PlanLimits } from '@flamegate/contract'
import { NotPermitted, type BenchChange } from '@flamegate/operations/ports'
import { beforeAll, expect, test } from 'vitest'
import { findPastRetention, findUnknownObjects, meterStorage } from '../past-retention.ts'
import { inSequence, plainProject, plainRun, preparePeople, testCaller } from '../testing.ts'

const { at, ada, bob, asAda, asBob, createProject } = preparePeople({ access: 'admin' })
const projectIds = { shop: newId('project'), api: newId('project') }

beforeAll(async () => {
  await inSequence(Object.entries(projectIds), ([slug, id]) => createProject({ id, slug, name: slug }))
})

const today = () => new Date().toISOString().slice(0, 10)
const usage = () => at.stores.usage
const usedToday = async (caller = asAda()) => {
  const range = { from: today(), to: today() }
  const [day] = await usage().listDays(caller, ada.workspaceId, range)
  return day
}

/** Makes a plan of its own, so that no other test is disturbed, and gives it to a workspace. */
async function givePlan(workspaceId: string, change: Partial<PlanLimits>): Promise<void> {
  await at.admin.query(
    `INSERT INTO plans (id, title, position, limits) SELECT $1, 'Own', 9, limits || $2 FROM plans WHERE id = 'free'
      ON CONFLICT (id) DO UPDATE SET limits = EXCLUDED.limits`,
    [`of ${workspaceId}`, change],
  )
  await at.admin.query('UPDATE workspaces SET plan_id = $1 WHERE id = $2', [`of ${workspaceId}`, workspaceId])
}

async function addFile(projectId: string, sizeBytes: number, isReady: boolean): Promise<string> {
  const id = newId('file')
  const { workspaceId } = ada
  await at.stores.files.create(asAda(), {
    id,
    workspaceId,
    projectId,
    runId: null,
    purpose: 'import_results',
    name: 'bench.json',
    contentType: 'application/json',
    sizeBytes,
    storageKey: `${workspaceId}/${id}`,
    expiresAt: new Date(Date.now() + 60_000),
  })
  if (isReady) await at.stores.files.markReady(asAda(), id, { sizeBytes, sha256: null })
  return id
}

test('uploads are counted up to what the plan has, also when many come at once', async () => {
  const upload = { sizeBytes: 10, uploadsMax: 5 }
  const counted = await Promise.all(
    Array.from({ length: 12 }, () => usage().countUpload(asAda(), ada.workspaceId, upload)),
  )
  expect(counted.filter(Boolean)).toHaveLength(5)
  expect(await usedToday()).toMatchObject({ uploads: 5, uploadBytes: 50 })
  expect(await usage().countUpload(asAda(), ada.workspaceId, { sizeBytes: 1, uploadsMax: Infinity })).toBe(
    true,
  )
  expect(await usage().countUpload(asBob(), bob.workspaceId, { sizeBytes: 1, uploadsMax: 0 })).toBe(false)
})

test('nobody counts for a workspace of others, or sees what it used', async () => {
  const before = await usedToday()
  await expect(
    usage().countUpload(asBob(), ada.workspaceId, { sizeBytes: 1, uploadsMax: Infinity }),
  ).rejects.toThrow(NotPermitted)
  expect(await usedToday()).toEqual(before)
  expect(await usedToday(asBob())).toBeUndefined()
  expect(await usage().countStorageBytes(asBob(), ada.workspaceId)).toBe(0)
})

test('what is stored counts for all projects, and what is on its way, for a caller of one project too', async () => {
  await addFile(projectIds.shop, 100, true)
  await addFile(projectIds.api, 30, true)
  await addFile(projectIds.api, 7, false)
  const ofShop = asAda()
  const inShop = { ...ofShop, principal: { ...ofShop.principal, projectId: projectIds.shop } }
  expect(await usage().countStorageBytes(asAda(), ada.workspaceId)).toBe(137)
  expect(await usage().countStorageBytes(inShop, ada.workspaceId)).toBe(137)
  await meterStorage(at.database)
  expect(await usedToday()).toMatchObject({ storageBytes: 130 })
})

test('the most that was stored on a day stays, however often it is looked at', async () => {
  const id = await addFile(projectIds.shop, 1000, true)
  await meterStorage(at.database)
  const most = (await usedToday())?.storageBytes
  await at.stores.files.remove(asAda(), id)
  await meterStorage(at.database)
  await meterStorage(at.database)
  expect((await usedToday())?.storageBytes).toBe(most)
  expect(most).toBeGreaterThanOrEqual(1000)
})

const event = (decision: 'allowed' | 'refused') => ({
  id: newId('auditEvent'),
  workspaceId: ada.workspaceId,
  userId: ada.userId,
  via: 'session',
  clientId: 'web',
  clientName: 'Web',
  operation: 'create_project',
  effect: 'write' as const,
  target: null,
  argumentsDigest: null,
  decision,
  outcome: 'ok',
  status: 200,
  durationMs: 1,
  answerBytes: 1,
  requestId: 'req_1',
  traceId: null,
  ip: '127.0.0.1',
  userAgent: null,
  at: new Date(),
})

test('calls are counted with the audit log: each that was let through, once', async () => {
  const before = (await usedToday())?.calls ?? 0
  await Promise.all(
    (['allowed', 'allowed', 'refused', 'allowed'] as const).map((decision) =>
      at.stores.audit.record(event(decision)),
    ),
  )
  expect((await usedToday())?.calls).toBe(before + 3)
})

const nothing: BenchChange = { run: {}, shards: [], events: [] }

test('the time of agents counts when their part of a run ends, once, and is given back by one that goes on', async () => {
  const runs = at.stores.benchRuns
  const run = await runs.create(
    asAda(),
    {
      id: newId('benchResult'),
      workspaceId: ada.workspaceId,
      projectId: projectIds.shop,
      scenarioId: null,
      scenarioVersion: null,
      name: 'Checkout',
      durationMs: 90_000,
      agentWaitMs: 60_000,
      taskId: newId('task'),
      benchReportId: null,
      plan: { scenario: { name: 'Checkout' }, virtual_users: [], servers: [], variables: [], actions: [] },
    },
    [0, 1].map((shareIndex) => ({
      id: newId('benchShard'),
      agentGroup: 'metered',
      shareIndex,
      shareCount: 2,
      engines: [],
    })),
  )
  expect(await usage().countAgentSeconds(asAda(), ada.workspaceId)).toEqual({
    usedSeconds: 0,
    promisedSeconds: 180,
  })
  const generator = await at.stores.loadGenerators.connect(asAda(), {
    id: newId('loadGenerator'),
    workspaceId: ada.workspaceId,
    name: 'metered',
    agentGroup: 'metered',
    version: '1',
    cores: 2,
    facts: { memory_bytes: 1e9, engines: [] },
  })
  if (generator === undefined) throw new TypeError('There is no place for a generator')
  const shard = await runs.lease(asAda(), generator, new Date())
  if (shard === undefined) throw new TypeError('It has no shard')
  // Both began half a minute ago.
  await at.admin.query(
    `UPDATE bench_shards SET created_at = now() - interval '1 minute' WHERE bench_result_id = $1`,
    [run.id],
  )
  const startedAt = new Date(Date.now() - 30_000)
  await runs.change(asAda(), run.id, () => ({ ...nothing, run: { startedAt } }))
  const state = (to: 'DONE' | 'RUNNING' | 'LOST', id: string) =>
    runs.change(asAda(), run.id, () => ({ ...nothing, shards: [{ id, state: to }] }))
  await state('DONE', shard.id)
  const once = (await usage().countAgentSeconds(asAda(), ada.workspaceId)).usedSeconds
  expect(once).toBeGreaterThanOrEqual(30)
  expect(once).toBeLessThan(60)
  await state('DONE', shard.id)
  expect((await usage().countAgentSeconds(asAda(), ada.workspaceId)).usedSeconds).toBe(once)
  await state('RUNNING', shard.id)
  expect((await usage().countAgentSeconds(asAda(), ada.workspaceId)).usedSeconds).toBe(0)
  // No agent ever had the other one.
  const other = (await runs.listShards(asAda(), run.id)).find(({ id }) => id !== shard.id)
  await state('LOST', other?.id ?? '')
  expect(await usage().countAgentSeconds(asAda(), ada.workspaceId)).toEqual({
    usedSeconds: 0,
    promisedSeconds: 90,
  })
})

test('runs that are older than the plan keeps them are found, but for baselines and for plans that keep all', async () => {
  const eve = await at.signUp('eve')
  const asEve = testCaller(eve.userId, { [eve.workspaceId]: 'owner' })
  const projectId = newId('project')
  const place = { workspaceId: eve.workspaceId, projectId }
  await at.stores.projects.create(asEve, {
    ...plainProject,
    workspaceId: eve.workspaceId,
    id: projectId,
    slug: 's',
    name: 'S',
  })
  const runOf = async (days: number) => {
    const { id } = await at.stores.runs.create(asEve, {
      ...plainRun,
      ...place,
      id: newId('run'),
      commitHash: 'abcdef1',
    })
    await at.admin.query('UPDATE runs SET created_at = now() - make_interval(days => $2) WHERE id = $1', [
      id,
      days,
    ])
    return id
  }
  const [oldest, old, , baseline] = [await runOf(40), await runOf(31), await runOf(29), await runOf(50)]
  await at.stores.projects.update(asEve, projectId, { baselineRunId: baseline })
  const kept = {
    profiles: null,
    bench_results: null,
    live_metrics: null,
    live_recordings: null,
    mcp_sessions: null,
    audit: null,
  }
  await givePlan(eve.workspaceId, { retention_days: { ...kept, runs: 30 } })
  const found = () => findPastRetention(at.database, 'runs', { limit: 10 })
  expect((await found()).map(({ id }) => id)).toEqual([oldest, old])
  expect(await findPastRetention(at.database, 'profiles', { limit: 10 })).toEqual([])

  expect(await at.stores.runs.remove(asBob(), oldest)).toBe(false)
  expect(await at.stores.runs.remove(asEve, oldest)).toBe(true)
  expect(await at.stores.runs.remove(asEve, oldest)).toBe(false)
  expect((await found()).map(({ id }) => id)).toEqual([old])

  await givePlan(eve.workspaceId, { retention_days: { ...kept, runs: null } })
  expect(await found()).toEqual([])
})

test('objects that no file tells of are told', async () => {
  const id = await addFile(projectIds.shop, 1, false)
  const [known, unknown] = [`${ada.workspaceId}/${id}`, `${ada.workspaceId}/fil_gone`]
  expect(await findUnknownObjects(at.database, [known, unknown])).toEqual([unknown])
})

test('a plan is remembered, and one of a workspace that is not there is that of new ones', async () => {
  expect(await at.stores.plans.ofWorkspace('ws_missing')).toMatchObject({ id: 'free' })
  await givePlan(bob.workspaceId, { uploads_per_day: 3 })
  expect(await at.stores.plans.ofWorkspace(bob.workspaceId)).toMatchObject({ limits: { uploads_per_day: 3 } })
  await givePlan(bob.workspaceId, { uploads_per_day: 4 })
  const remembered = at.stores.plans.ofWorkspace(bob.workspaceId)
  expect(remembered).not.toBeInstanceOf(Promise)
  expect(remembered).toMatchObject({ limits: { uploads_per_day: 3 } })
})

test('only an administrator gives a workspace its plan', async () => {
  const { rowCount } = await at.database.auth.query(`UPDATE workspaces SET plan_id = 'team' WHERE id = $1`, [
    ada.workspaceId,
  ])
  expect(rowCount).toBe(0)
  await expect(
    at.database.asAuth(async (client) => {
      await client.query(`SELECT set_config('flamegate.user_id', $1, true)`, [ada.userId])
      await client.query(`UPDATE workspaces SET plan_id = 'team' WHERE id = $1`, [ada.workspaceId])
    }),
  ).rejects.toThrow(NotPermitted)
})
