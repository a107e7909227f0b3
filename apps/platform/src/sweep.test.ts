import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newId } from '@flamegate/contract'
import { plainFile, plainRun, prepareProject } from '@flamegate/db/testing'
import { openFolderStorage, type FolderStorage } from '@flamegate/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepInstallation } from './sweep.ts'

const { at, ada, bob, projectId, place, asAda, asBob } = prepareProject({ access: 'admin' })
let dir: string
let storage: FolderStorage

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'flamegate-sweep-'))
  storage = await openFolderStorage({ dir, baseUrl: 'http://localhost', signingKey: 'k'.repeat(32) })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function addFile(runId: string, purpose: string): Promise<string> {
  const id = newId('file')
  await at.stores.files.create(asAda(), {
    ...plainFile,
    id,
    workspaceId: ada.workspaceId,
    projectId,
    runId,
    purpose,
    name: 'a',
    sizeBytes: 1,
    storageKey: `${ada.workspaceId}/${id}`,
  })
  await store(`${ada.workspaceId}/${id}`, 3)
  return id
}

/** Puts an object into the storage as if that were days ago. */
async function store(key: string, days: number): Promise<void> {
  await storage.write(key, Buffer.from('12345678'), { contentType: 'text/plain' })
  const time = new Date(Date.now() - days * 86_400_000)
  await utimes(path.join(dir, 'objects', key), time, time)
}

/** A run with its results' file and a profile, made so many days ago. */
async function addRun(days: number) {
  const { id } = await at.stores.runs.create(asAda(), {
    ...plainRun,
    ...place,
    id: newId('run'),
    commitHash: 'abcdef1',
  })
  const resultsId = await addFile(id, 'import_results')
  const fileId = await addFile(id, 'import_profile')
  const profile = await at.stores.profiles.create(asAda(), {
    ...place,
    id: newId('profile'),
    runId: id,
    benchmarkId: null,
    fileId,
    name: 'cpu',
    type: 'cpu',
    tags: [],
  })
  for (const table of ['runs', 'profiles'])
    // oxlint-disable-next-line no-await-in-loop -- two
    await at.admin.query(`UPDATE ${table} SET created_at = now() - make_interval(days => $2) WHERE id = $1`, [
      table === 'runs' ? id : profile.id,
      days,
    ])
  return { id, resultsId, fileId, profileId: profile.id }
}

/** A recording of a live app and a session of an MCP server, made so many days ago. */
async function addLive(days: number) {
  const [recordingId, sessionId, targetId] = [newId('liveRecording'), newId('mcpSession'), newId('mcpTarget')]
  const ofBefore = [ada.workspaceId, projectId, ada.userId, days]
  await at.admin.query(
    `INSERT INTO live_recordings (workspace_id, project_id, created_by, created_at, id, live_app_id, app_name, name, from_at, to_at,
        processes, sections, size_bytes)
      VALUES ($1, $2, $3, now() - make_interval(days => $4), $5, 'lap_1', 'shop', $5, now(), now(), 1, '{}', 1)`,
    [...ofBefore, recordingId],
  )
  await at.admin.query(
    `INSERT INTO mcp_targets (workspace_id, project_id, created_by, created_at, id, name, transport, operations, arguments, note)
      VALUES ($1, $2, $3, now() - make_interval(days => $4), $5, $5, 'stdio', '{}', '{}', '')`,
    [...ofBefore, targetId],
  )
  await at.admin.query(
    `INSERT INTO mcp_sessions (workspace_id, project_id, created_by, created_at, id, mcp_target_id, command, origin)
      VALUES ($1, $2, $3, now() - make_interval(days => $4), $5, $6, 'profile', 'uploaded')`,
    [...ofBefore, sessionId, targetId],
  )
  return { recordingId, sessionId }
}

const isThere = async ({ recordingId, sessionId }: Awaited<ReturnType<typeof addLive>>) =>
  (
    await Promise.all([
      at.stores.liveRecordings.find(asAda(), recordingId),
      at.stores.mcp.findSession(asAda(), sessionId),
    ])
  ).map((found) => found !== undefined)

const wordsOf = (verb: string) => [
  `2 runs, 1 profiles, 0 results of load tests, 1 live recordings and 2 sessions of MCP servers ${verb}: they are older than their plan keeps them.`,
  '0 rows of live apps are older than their plan keeps them: workers remove these every minute.',
  `1 deleted workspaces, 1 rows of log-ins, tokens, invitations and deliveries, 1 profiles, 0 validations, 0 sessions of MCP servers, 0 prints and archives, 0 files of load tests, 0 sources of imports ${verb}: their own time is over.`,
  `0 months ahead ${verb === 'went' ? 'were' : 'would be'} added to the audit log.`,
  `0 events of the audit log ${verb}, 0 months of them as a whole: they are older than any plan in use keeps them.`,
  expect.stringContaining(` objects in storage ${verb} (8 B): no file tells of them.`),
]

test('what is older than the plan keeps it goes with its files, and what no file tells of; a dry run only counts', async () => {
  const kept = {
    runs: 30,
    profiles: 60,
    bench_results: null,
    live_metrics: null,
    live_recordings: 20,
    mcp_sessions: 10,
    audit: null,
  }
  await at.admin.query(
    `INSERT INTO plans (id, title, position, limits)
      SELECT 'short', 'Short', 9, limits || $1 FROM plans WHERE id = 'free'`,
    [{ retention_days: kept }],
  )
  await at.admin.query(`UPDATE workspaces SET plan_id = 'short' WHERE id = $1`, [ada.workspaceId])
  const [oldest, old, young] = [await addRun(70), await addRun(31), await addRun(29)]
  const [oldLive, olderLive, youngLive] = [await addLive(15), await addLive(21), await addLive(9)]
  const keyOf = (id: string) => `${ada.workspaceId}/${id}`
  // Past a time of their own, whatever the plan says: a young profile, a log-in, a workspace that was deleted.
  const timedOut = await addRun(1)
  await at.admin.query(`UPDATE profiles SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
    timedOut.profileId,
  ])
  await at.identity.createSession({
    tokenHash: 'old',
    userId: ada.userId,
    expiresAt: new Date(Date.now() - 60_000),
    userAgent: '',
  })
  await at.stores.workspaces.setDeletion(asBob(), bob.workspaceId, new Date(Date.now() - 60_000))
  const countOf = async (table: string) =>
    Number((await at.admin.query(`SELECT count(*) FROM ${table}`)).rows[0]?.count)
  await store(keyOf('fil_left'), 2)
  await store(keyOf('fil_young'), 0)
  const sweep = async (isDry: boolean) => {
    const said: string[] = []
    await sweepInstallation(
      { database: at.database, ownerUrl: at.urls.ownerUrl, storage },
      { isDry, say: (line) => void said.push(line) },
    )
    return said
  }

  expect(await sweep(true)).toEqual(wordsOf('would go'))
  expect(await at.stores.runs.find(asAda(), oldest.id)).toBeDefined()
  expect(await storage.find(keyOf(oldest.fileId))).toBeDefined()
  expect(await storage.find(keyOf('fil_left'))).toBeDefined()
  expect(await isThere(olderLive)).toEqual([true, true])
  expect(await storage.find(keyOf(timedOut.fileId))).toBeDefined()
  expect([await countOf('sessions'), await countOf('workspaces')]).toEqual([1, 2])

  expect(await sweep(false)).toEqual(wordsOf('went'))
  for (const id of [oldest.resultsId, oldest.fileId, old.resultsId, 'fil_left']) {
    // oxlint-disable-next-line no-await-in-loop -- four
    expect(await storage.find(keyOf(id))).toBeUndefined()
  }
  expect(await storage.find(keyOf(timedOut.fileId))).toBeUndefined()
  expect([await countOf('sessions'), await countOf('workspaces')]).toEqual([0, 1])
  expect(await at.stores.runs.find(asAda(), old.id)).toBeUndefined()
  expect(await at.stores.files.find(asAda(), old.resultsId)).toBeUndefined()
  expect(await isThere(olderLive)).toEqual([false, false])
  expect(await isThere(oldLive)).toEqual([true, false])
  expect(await isThere(youngLive)).toEqual([true, true])
  // A profile of a run that is gone stays for its own time.
  expect(await at.stores.profiles.find(asAda(), old.profileId)).toMatchObject({ runId: null })
  expect(await at.stores.profiles.find(asAda(), oldest.profileId)).toBeUndefined()
  expect(await at.stores.runs.find(asAda(), young.id)).toBeDefined()
  for (const id of [old.fileId, young.resultsId, young.fileId, 'fil_young']) {
    // oxlint-disable-next-line no-await-in-loop -- four
    expect(await storage.find(keyOf(id))).toBeDefined()
  }

  expect(await sweep(false)).toEqual([
    expect.stringContaining('0 runs, 0 profiles'),
    expect.stringContaining('0 rows of live apps'),
    expect.stringMatching(/^0 deleted workspaces, 0 rows .* 0 profiles/),
    expect.stringContaining('0 months ahead'),
    expect.stringContaining('0 events'),
    expect.stringContaining('0 of 5 objects'),
  ])
})

test('what the installation keeps at most counts where the plan keeps more, and nothing does where it is not set', async () => {
  await at.admin.query(`UPDATE workspaces SET plan_id = 'free' WHERE id = $1`, [ada.workspaceId])
  await at.admin.query(
    `INSERT INTO bench_results (workspace_id, id, project_id, name, task_id, created_by, created_at, ended_at)
      VALUES ($1, $2, $3, 'old', $4, $5, now() - interval '41 days', now() - interval '40 days')`,
    [ada.workspaceId, newId('benchResult'), projectId, newId('task'), ada.userId],
  )
  const sweep = async (kept: { FLAMEGATE_BENCH_RESULT_DAYS?: number }) => {
    const said: string[] = []
    await sweepInstallation(
      { database: at.database, ownerUrl: at.urls.ownerUrl, storage },
      { isDry: true, say: (line) => void said.push(line), kept },
    )
    return said[0]
  }
  expect(await sweep({})).toContain(' 0 results of load tests')
  expect(await sweep({ FLAMEGATE_BENCH_RESULT_DAYS: 30 })).toContain(' 1 results of load tests')
})

test('the storage of another installation is left alone', async () => {
  const keys = Array.from({ length: 120 }, (_, index) => `ws_other/fil_${index}`)
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- small files
    await store(key, 2)
  }
  const sweep = sweepInstallation(
    { database: at.database, ownerUrl: at.urls.ownerUrl, storage },
    { isDry: false, say: () => undefined },
  )
  await expect(sweep).rejects.toThrow('is this the storage of another installation?')
  expect(await storage.find('ws_other/fil_0')).toBeDefined()
})
