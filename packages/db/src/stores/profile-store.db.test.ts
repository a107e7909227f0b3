import { newId } from '@flamegate/contract'
import { NotPermitted, type Profile } from '@flamegate/operations/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import { inSequence, plainResult, plainRun, preparePeople } from '../testing.ts'

const { at, ada, asAda, asBob, asViewer, createProject } = preparePeople()
let projectId: string

beforeEach(async () => {
  projectId = await createProject()
})

const newFile = (change: { sizeBytes?: number } = {}) => {
  const id = newId('file')
  return {
    id,
    workspaceId: ada.workspaceId,
    projectId,
    runId: null,
    purpose: 'import_profile',
    name: 'cpu.pb.gz',
    contentType: 'application/octet-stream',
    sizeBytes: 5_000_000_000,
    storageKey: `${ada.workspaceId}/${id}`,
    expiresAt: new Date('2027-01-01T00:00:00.000Z'),
    ...change,
  }
}

async function createProfile(change: Partial<Profile> = {}): Promise<Profile> {
  const file = await at.stores.files.create(asAda(), newFile())
  return at.stores.profiles.create(asAda(), {
    id: newId('profile'),
    workspaceId: ada.workspaceId,
    projectId,
    runId: null,
    benchmarkId: null,
    fileId: file.id,
    name: 'Checkout',
    type: 'cpu',
    tags: ['prod'],
    ...change,
  })
}

const outcome = {
  format: 'pprof',
  type: 'cpu',
  sampleTypes: [{ type: 'cpu', unit: 'nanoseconds', total: 9e15 }],
  defaultSampleTypeIndex: 0,
  durationMs: 1234.5,
  startedAt: new Date('2026-01-02T03:04:05.678Z'),
  sampleCount: 10,
  nodeCount: 4,
  labels: { 'thre\0ad': [{ value: 'main', weight: 0.5 }] },
  warnings: ['truncated'],
  parts: { tree: Uint8Array.from([0, 1, 255]) },
}

/** A run that measured these benchmarks. */
async function measured(uris: readonly string[]) {
  const id = newId('run')
  const run = await at.stores.runs.create(asAda(), {
    ...plainRun,
    workspaceId: ada.workspaceId,
    projectId,
    id,
  })
  const results = uris.map((uri) => ({ ...plainResult, uri, name: uri }))
  await at.stores.runs.complete(asAda(), id, { adapter: 'go', warnings: [], environment: {}, results })
  const stored = await at.stores.runs.listResults(asAda('read'), id)
  return { run, idOf: (uri: string) => stored.find((each) => each.uri === uri)?.benchmarkId ?? '' }
}

const newTask = () => ({
  id: newId('task'),
  workspaceId: ada.workspaceId,
  projectId,
  kind: 'import_profile',
  message: 'Waiting',
  result: { profile_id: 'prf_1' },
})

describe('files', () => {
  test('are stored, larger than 4 GB as well, and become ready', async () => {
    const file = newFile()
    const created = await at.stores.files.create(asAda(), file)
    expect(created).toEqual({
      ...file,
      benchReportId: null,
      benchResultId: null,
      sha256: null,
      status: 'PENDING',
      createdBy: ada.userId,
      createdAt: expect.any(Date),
    })
    await at.stores.files.markReady(asAda(), file.id, { sizeBytes: 7, sha256: 'ab' })
    expect(await at.stores.files.find(asAda('read'), file.id)).toEqual({
      ...created,
      sizeBytes: 7,
      sha256: 'ab',
      status: 'READY',
      expiresAt: null,
    })
  })

  test('are neither seen nor changed from another workspace, nor changed by a viewer', async () => {
    const file = await at.stores.files.create(asAda(), newFile())
    expect(await at.stores.files.find(asBob(), file.id)).toBeUndefined()
    await at.stores.files.markReady(asBob(), file.id, { sizeBytes: 1, sha256: null })
    await expect(
      at.stores.files.markReady(asViewer(), file.id, { sizeBytes: 1, sha256: null }),
    ).rejects.toThrow(NotPermitted)
    await expect(at.stores.files.create(asViewer(), newFile())).rejects.toThrow(NotPermitted)
    expect(await at.stores.files.find(asAda('read'), file.id)).toEqual(file)
  })
})

describe('profiles', () => {
  test('are pending until they are completed with their tree', async () => {
    const created = await createProfile()
    expect(created).toEqual({
      id: created.id,
      workspaceId: ada.workspaceId,
      projectId,
      runId: null,
      benchmarkId: null,
      fileId: created.fileId,
      name: 'Checkout',
      type: 'cpu',
      format: null,
      status: 'PENDING',
      sampleTypes: [],
      defaultSampleTypeIndex: 0,
      durationMs: null,
      startedAt: null,
      sampleCount: 0,
      nodeCount: 0,
      labels: {},
      tags: ['prod'],
      service: null,
      expiresAt: null,
      warnings: [],
      problem: null,
      createdAt: expect.any(Date),
      source: expect.any(Object),
    })
    expect(await at.stores.profiles.readPart(asAda('read'), created.id, 'tree')).toBeUndefined()

    await at.stores.profiles.complete(asAda(), created.id, outcome)
    const { parts, ...facts } = outcome
    const labels = { 'thre\uFFFDad': [{ value: 'main', weight: 0.5 }] }
    expect(await at.stores.profiles.find(asAda('read'), created.id)).toEqual({
      ...created,
      ...facts,
      labels,
      status: 'READY',
    })
    expect(await at.stores.profiles.readPart(asAda('read'), created.id, 'tree')).toEqual(
      Buffer.from(parts.tree),
    )
  })

  test('take the type from the file only when the uploader did not know', async () => {
    const unknown = await createProfile({ type: 'unknown' })
    const known = await createProfile({ type: 'heap' })
    await at.stores.profiles.complete(asAda(), unknown.id, outcome)
    await at.stores.profiles.complete(asAda(), known.id, outcome)
    expect(await at.stores.profiles.find(asAda('read'), unknown.id)).toMatchObject({ type: 'cpu' })
    expect(await at.stores.profiles.find(asAda('read'), known.id)).toMatchObject({ type: 'heap' })
  })

  test('are completed again by a job that runs twice', async () => {
    const { id } = await createProfile()
    await at.stores.profiles.complete(asAda(), id, outcome)
    await at.stores.profiles.complete(asAda(), id, { ...outcome, parts: { tree: Uint8Array.from([7]) } })
    expect(await at.stores.profiles.readPart(asAda('read'), id, 'tree')).toEqual(Buffer.from([7]))
  })

  test('store only the part of a larger buffer that is the tree', async () => {
    const { id } = await createProfile()
    await at.stores.profiles.complete(asAda(), id, {
      ...outcome,
      parts: { tree: Uint8Array.from([1, 2, 3, 4]).subarray(1, 3) },
    })
    expect(await at.stores.profiles.readPart(asAda('read'), id, 'tree')).toEqual(Buffer.from([2, 3]))
  })

  test('fail with a reason, unless they are ready', async () => {
    const { id } = await createProfile()
    await at.stores.profiles.fail(asAda(), id, { code: 'bad_file', detail: 'Not a pro\0file' })
    expect(await at.stores.profiles.find(asAda('read'), id)).toMatchObject({
      status: 'FAILED',
      problem: { code: 'bad_file', detail: 'Not a pro\uFFFDfile' },
    })
    const ready = await createProfile()
    await at.stores.profiles.complete(asAda(), ready.id, outcome)
    await at.stores.profiles.fail(asAda(), ready.id, { code: 'late', detail: '' })
    expect(await at.stores.profiles.find(asAda('read'), ready.id)).toMatchObject({
      status: 'READY',
      problem: null,
    })
  })

  test('are listed by what they are, newest first', async () => {
    const ids = await inSequence(
      [{ type: 'cpu' }, { type: 'heap' }, { type: 'cpu' }],
      async (change) => (await createProfile(change)).id,
    )
    await at.stores.profiles.complete(asAda(), ids[0] ?? '', outcome)
    const list = async (filter: Parameters<typeof at.stores.profiles.list>[3]) => {
      const found = await at.stores.profiles.list(asAda('read'), projectId, { limit: 10 }, filter)
      return found.map(({ id }) => ids.indexOf(id))
    }
    expect(await list({})).toEqual([2, 1, 0])
    expect(await list({ type: 'heap' })).toEqual([1])
    expect(await list({ status: 'READY' })).toEqual([0])
    expect(await list({ runId: 'run_none' })).toEqual([])
    expect(await list({ benchmarkId: 'ben_none' })).toEqual([])
    const [first] = await at.stores.profiles.list(asAda('read'), projectId, { limit: 1 }, {})
    const rest = await at.stores.profiles.list(asAda('read'), projectId, { limit: 5, after: first }, {})
    expect(rest.map(({ id }) => ids.indexOf(id))).toEqual([1, 0])
    expect(await at.stores.profiles.list(asBob(), projectId, { limit: 10 }, {})).toEqual([])
  })

  test('tell which benchmarks of runs have one, once each, and nobody else', async () => {
    const base = await measured(['a', 'b', 'c'])
    const head = await measured(['a', 'b', 'c'])
    const ready = async (of: typeof base, uri?: string) => {
      const place = { runId: of.run.id, benchmarkId: uri === undefined ? null : of.idOf(uri) }
      await at.stores.profiles.complete(asAda(), (await createProfile(place)).id, outcome)
    }
    await inSequence(['a', 'b', 'a'], (uri) => ready(base, uri))
    await ready(head, 'b')
    await ready(head)
    // Nobody can look into it yet.
    await createProfile({ runId: head.run.id, benchmarkId: head.idOf('c') })
    const told = async (runs: readonly (typeof base)[], by = asAda('read')) =>
      (
        await at.stores.profiles.listProfiled(
          by,
          runs.map(({ run }) => run),
        )
      )
        .map(({ runId, benchmarkId }) => `${runId} ${benchmarkId}`)
        .toSorted()
    const inBase = [`${base.run.id} ${base.idOf('a')}`, `${base.run.id} ${base.idOf('b')}`]
    const inHead = [`${head.run.id} ${head.idOf('b')}`]
    expect(await told([base, head])).toEqual([...inBase, ...inHead].toSorted())
    expect(await told([head])).toEqual(inHead)
    expect(await told([])).toEqual([])
    expect(await told([base, head], asBob())).toEqual([])
  })

  test('are found by service, label, tag and time', async () => {
    const ids = await inSequence(
      [{ service: 'checkout', tags: ['region=eu'] }, { service: 'payments' }, {}],
      async (change) => (await createProfile(change)).id,
    )
    const labels = { region: [{ value: 'eu', weight: 1 }], fo: [{ value: 'foo', weight: 1 }] }
    await at.stores.profiles.complete(asAda(), ids[1]!, { ...outcome, labels, service: 'of the file' })
    await at.stores.profiles.complete(asAda(), ids[2]!, { ...outcome, service: 'of the file' })
    const list = async (filter: Parameters<typeof at.stores.profiles.list>[3]) => {
      const found = await at.stores.profiles.list(asAda('read'), projectId, { limit: 10 }, filter)
      return found.map(({ id }) => ids.indexOf(id))
    }
    expect(await list({ service: 'checkout' })).toEqual([0])
    expect(await list({ service: 'payments' })).toEqual([1])
    expect(await list({ service: 'of the file' })).toEqual([2])
    expect(await list({ label: 'region=eu' })).toEqual([1, 0])
    expect(await list({ label: 'region=e' })).toEqual([])
    expect(await list({ label: 'foo' })).toEqual([])
    expect(await list({ label: 'region=\uD800' })).toEqual([])
    expect(await list({ tag: 'prod' })).toEqual([2, 1])
    const second = await at.stores.profiles.find(asAda('read'), ids[1]!)
    const time = second!.createdAt.toISOString()
    expect(await list({ since: time })).toEqual([2, 1])
    expect(await list({ until: time })).toEqual([0])
  })

  test('that go by themselves are not searched for', async () => {
    const expiresAt = new Date(Date.now() + 60_000)
    await createProfile({ name: 'Zeppelin', expiresAt })
    const kept = await createProfile({ name: 'Zeppelin' })
    const found = await at.stores.search.search(asAda('read'), 'zeppelin', { limit: 10 })
    expect(found.map(({ id }) => id)).toEqual([kept.id])
  })

  test('are removed with their tree, and with their file when it was the last', async () => {
    const first = await createProfile()
    const second = await createProfile({ fileId: first.fileId })
    await at.stores.profiles.complete(asAda(), first.id, outcome)
    expect(await at.stores.profiles.remove(asAda(), first.id)).toBe(true)
    expect(await at.stores.profiles.find(asAda('read'), first.id)).toBeUndefined()
    expect(await at.stores.profiles.readPart(asAda('read'), first.id, 'tree')).toBeUndefined()
    expect(await at.stores.files.find(asAda('read'), first.fileId)).toBeDefined()
    expect(await at.stores.profiles.remove(asAda(), second.id)).toBe(true)
    expect(await at.stores.files.find(asAda('read'), first.fileId)).toBeUndefined()
    expect(await at.stores.profiles.remove(asAda(), second.id)).toBe(false)
  })

  test('are neither seen nor changed from another workspace, nor changed by a viewer', async () => {
    const profile = await createProfile()
    await at.stores.profiles.complete(asAda(), profile.id, outcome)
    expect(await at.stores.profiles.find(asBob(), profile.id)).toBeUndefined()
    expect(await at.stores.profiles.readPart(asBob(), profile.id, 'tree')).toBeUndefined()
    expect(await at.stores.profiles.remove(asBob(), profile.id)).toBe(false)
    await expect(at.stores.profiles.complete(asBob(), profile.id, outcome)).rejects.toThrow('is gone')
    await expect(at.stores.profiles.complete(asViewer(), profile.id, outcome)).rejects.toThrow(NotPermitted)
    await expect(at.stores.profiles.remove(asViewer(), profile.id)).rejects.toThrow(NotPermitted)
    await expect(at.stores.profiles.fail(asViewer(), profile.id, { code: 'x', detail: '' })).rejects.toThrow(
      NotPermitted,
    )
    expect(await at.stores.profiles.find(asViewer(), profile.id)).toMatchObject({ status: 'READY' })
    expect(await at.stores.profiles.readPart(asViewer(), profile.id, 'tree')).toEqual(
      Buffer.from(outcome.parts.tree),
    )
  })
})

describe('tasks', () => {
  test('go from pending over running to an end, once', async () => {
    const task = newTask()
    const created = await at.stores.tasks.create(asAda(), task)
    expect(created).toEqual({
      ...task,
      status: 'PENDING',
      progressPercent: 0,
      problem: null,
      createdBy: ada.userId,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
      finishedAt: null,
    })
    await at.stores.tasks.progress(asAda(), task.id, { percent: 41.6, message: 'Decoding' })
    expect(await at.stores.tasks.find(asAda('read'), task.id)).toMatchObject({
      status: 'RUNNING',
      progressPercent: 42,
      message: 'Decoding',
    })
    await at.stores.tasks.finish(asAda(), task.id, { result: { nodes: 4 } })
    const finished = await at.stores.tasks.find(asAda('read'), task.id)
    expect(finished).toMatchObject({
      status: 'SUCCESS',
      progressPercent: 100,
      message: 'Done',
      result: { nodes: 4 },
      problem: null,
      finishedAt: expect.any(Date),
    })
    await at.stores.tasks.finish(asAda(), task.id, { problem: { code: 'late', detail: '' } })
    await at.stores.tasks.progress(asAda(), task.id, { percent: 1, message: 'late' })
    expect(await at.stores.tasks.find(asAda('read'), task.id)).toEqual(finished)
  })

  test('fail with a reason', async () => {
    const task = await at.stores.tasks.create(asAda(), { ...newTask(), result: null })
    expect(task.result).toBeNull()
    await at.stores.tasks.finish(asAda(), task.id, { problem: { code: 'bad_file', detail: 'No samples' } })
    expect(await at.stores.tasks.find(asAda('read'), task.id)).toMatchObject({
      status: 'FAILED',
      problem: { code: 'bad_file', detail: 'No samples' },
    })
  })

  test('are neither seen nor changed from another workspace, nor changed by a viewer', async () => {
    const task = await at.stores.tasks.create(asAda(), newTask())
    expect(await at.stores.tasks.find(asBob(), task.id)).toBeUndefined()
    await at.stores.tasks.finish(asBob(), task.id, { result: {} })
    await expect(at.stores.tasks.finish(asViewer(), task.id, { result: {} })).rejects.toThrow(NotPermitted)
    await expect(at.stores.tasks.progress(asViewer(), task.id, { percent: 1, message: '' })).rejects.toThrow(
      NotPermitted,
    )
    expect(await at.stores.tasks.find(asViewer(), task.id)).toEqual(task)
  })
})

describe('the source of a profile', () => {
  test('is what its project says of it, and the commit of its run', async () => {
    const runId = newId('run')
    const run = { ...plainRun, workspaceId: ada.workspaceId, projectId, id: runId, commitHash: 'abcdef1' }
    await at.stores.runs.create(asAda(), run)
    const change = {
      repository: `acme/${projectId}`,
      originRules: [{ in: 'file' as const, pattern: '/acme/', origin: 'User code' }],
      forge: 'gitlab' as const,
      forgeUrl: 'https://git.example.com',
    }
    await at.stores.projects.update(asAda(), projectId, change)
    const { id } = await createProfile({ runId })
    const found = await at.stores.profiles.find(asAda('read'), id)
    expect(found?.source).toEqual({ ...change, commitHash: 'abcdef1' })
  })

  test('has no commit without a run', async () => {
    const { source } = await createProfile()
    expect(source).toEqual({
      repository: null,
      originRules: [],
      forge: null,
      forgeUrl: null,
      commitHash: null,
    })
  })
})
