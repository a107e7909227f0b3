import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '@flamegate/contract'
import { NotPermitted, OwnerGone, type NewResult, type Run } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { inSequence, plainRun, preparePeople, waitUntilBlocked } from '../testing.ts'

const { at, ada, bob, asAda, asBob, asViewer, createProject } = preparePeople()

function createRun(projectId: string, change: Partial<Run> = {}, ciRun?: string): Promise<Run> {
  const run = {
    ...plainRun,
    id: newId('run'),
    workspaceId: ada.workspaceId,
    projectId,
    commitHash: 'c0ffee',
    commitMessage: 'Brew',
    ...change,
  }
  return at.stores.runs.create(asAda(), run, ciRun)
}

const result = (uri: string, change: Partial<NewResult> = {}): NewResult => ({
  uri,
  name: uri.split('::').at(-1) ?? uri,
  instrument: 'walltime',
  metric: 'time',
  betterWhen: 'lower',
  value: 12.5,
  unit: 'ns',
  stats: { mean: 12.5, stdev: 0.5, rounds: 3 },
  metrics: [{ name: 'instructions', value: 1e12, unit: '1', betterWhen: 'lower' }],
  roundValues: [12, 12.5, 13.000000001],
  ...change,
})

/** The traits of a benchmark that nobody changed. */
const ordinary = {
  state: 'active',
  isCritical: false,
  thresholdPercent: null,
  noisePercent: null,
  noiseRuns: 0,
}

const complete = (runId: string, results: NewResult[], environment: Record<string, string> = {}) =>
  at.stores.runs.complete(asAda(), runId, {
    adapter: 'codspeed',
    warnings: ['slow disk'],
    environment,
    results,
  })

describe('create()', () => {
  test('gives the run as it is stored', async () => {
    const projectId = await createProject()
    const created = await createRun(projectId, {
      pullRequest: 7,
      tags: ['nightly'],
      environment: { os: 'linux', cpu: 'x' },
      committedAt: new Date('2026-01-02T03:04:05.678Z'),
    })
    expect(created).toEqual({
      unjudgedSince: null,
      id: expect.stringMatching(/^run_/),
      workspaceId: ada.workspaceId,
      projectId,
      branch: 'main',
      commitHash: 'c0ffee',
      commitMessage: 'Brew',
      pullRequest: 7,
      baseBranch: null,
      baseCommitHash: null,
      measurementId: null,
      event: 'push',
      status: 'PENDING',
      adapter: null,
      tags: ['nightly'],
      resultCount: 0,
      warnings: [],
      environment: { cpu: 'x', os: 'linux' },
      committedAt: new Date('2026-01-02T03:04:05.678Z'),
      createdAt: expect.any(Date),
    })
    expect(await at.stores.runs.find(asAda('read'), created.id)).toEqual(created)
    expect(await at.stores.runs.find(asBob(), created.id)).toBeUndefined()
  })

  test('gives the run that a CI run has for that commit already, also to jobs that come at once', async () => {
    const projectId = await createProject()
    const jobs = await Promise.all([1, 2, 3].map(() => createRun(projectId, {}, 'GITHUB_ACTIONS 7')))
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
    const others = await Promise.all([
      createRun(projectId, {}, 'GITHUB_ACTIONS 8'),
      createRun(projectId, { commitHash: 'decaf' }, 'GITHUB_ACTIONS 7'),
      createRun(await createProject(), {}, 'GITHUB_ACTIONS 7'),
      createRun(projectId),
      createRun(projectId),
    ])
    expect(new Set([...jobs, ...others].map(({ id }) => id)).size).toBe(6)
  })

  test('refuses a viewer, another workspace, and a project of another workspace', async () => {
    const projectId = await createProject()
    const run = {
      ...plainRun,
      id: newId('run'),
      workspaceId: ada.workspaceId,
      projectId,
      commitHash: 'c0ffee',
    } as const
    await expect(at.stores.runs.create(asViewer(), { ...run, tags: [] })).rejects.toThrow(NotPermitted)
    await expect(at.stores.runs.create(asBob(), { ...run, tags: [] })).rejects.toThrow(NotPermitted)
    await expect(
      at.stores.runs.create(asBob(), { ...run, tags: [], workspaceId: bob.workspaceId }),
    ).rejects.toThrow(OwnerGone)
  })
})

describe('complete()', () => {
  test('stores the results and what was learnt from the file', async () => {
    const projectId = await createProject()
    const { id } = await createRun(projectId, { environment: { os: 'linux' } })
    const run = await complete(id, [result('b::two'), result('a::one', { roundValues: undefined })], {
      cpu: 'x',
    })
    expect(run).toMatchObject({
      status: 'COMPLETED',
      adapter: 'codspeed',
      resultCount: 2,
      warnings: ['slow disk'],
      environment: { os: 'linux', cpu: 'x' },
    })
    const results = await at.stores.runs.listResults(asAda('read'), id, { withMetrics: true })
    const { roundValues, ...withoutRounds } = result('a::one')
    const stored = {
      ...withoutRounds,
      processValues: null,
      benchmarkId: expect.stringMatching(/^ben_/),
      ...ordinary,
    }
    expect(results).toEqual([stored, { ...stored, uri: 'b::two', name: 'two' }])
    expect(await at.stores.runs.listResults(asAda('read'), id)).toEqual([
      { ...stored, metrics: [] },
      { ...stored, metrics: [], uri: 'b::two', name: 'two' },
    ])
    const ids = results.map(({ benchmarkId }) => benchmarkId)
    expect(await at.stores.runs.readRounds(asAda('read'), id, ids)).toEqual(new Map([[ids[1], roundValues]]))
    expect(await at.stores.runs.readRounds(asBob(), id, ids)).toEqual(new Map())
    expect(await at.stores.runs.listResults(asBob(), id)).toEqual([])
  })

  test('the same file a second time changes nothing, also at the same moment; another file adds to the run', async () => {
    const { id } = await createRun(await createProject())
    await Promise.all([complete(id, [result('a')]), complete(id, [result('a')])])
    expect(await complete(id, [result('a')])).toMatchObject({ resultCount: 1, warnings: ['slow disk'] })
    expect(await complete(id, [result('a', { value: 7 }), result('b')])).toMatchObject({ resultCount: 2 })
    const results = await at.stores.runs.listResults(asAda('read'), id)
    expect(results.map(({ uri, value }) => [uri, value])).toEqual([
      ['a', 7],
      ['b', result('b').value],
    ])
  })

  test('runs of one project that finish at the same moment share their benchmarks', async () => {
    const projectId = await createProject()
    const runs = await Promise.all(Array.from({ length: 4 }, () => createRun(projectId)))
    const results = Array.from({ length: 300 }, (_, index) => result(`bench ${index}`))
    await Promise.all(
      runs.map(({ id }, index) => complete(id, index % 2 === 0 ? results : results.toReversed())),
    )
    expect(await at.stores.projects.findWithCounts(asAda('read'), projectId)).toMatchObject({
      runCount: 4,
      benchmarkCount: 300,
    })
  })

  test('takes as long as it takes: another run on the same machine is not kept waiting', async () => {
    const projectId = await createProject()
    const environment = { cpu: 'x' }
    const { id } = await createRun(projectId, { environment })
    const { completed } = await at.database.asCallerSql(asAda(), async (client) => {
      // What is being stored elsewhere, and waited for.
      await client.query(
        `INSERT INTO benchmarks (workspace_id, id, project_id, uri, name, instrument, metric, better_when)
          VALUES ($1, $2, $3, 'a', 'a', 'walltime', 'time', 'lower')`,
        [ada.workspaceId, newId('benchmark'), projectId],
      )
      const importing = complete(id, [result('a')])
      await waitUntilBlocked(client)
      const next = createRun(projectId, { environment })
      expect(await Promise.race([next, delay(2_000, 'kept waiting')])).toMatchObject({ environment })
      return { completed: importing }
    })
    expect(await completed).toMatchObject({ environment, resultCount: 1 })
  })

  test('keeps what Postgres could not: zero characters and halves of characters', async () => {
    const { id } = await createRun(await createProject())
    await complete(id, [result('a\0b', { name: 'half \uD800' })], { 'ke\0y': 'val\0ue' })
    const [stored] = await at.stores.runs.listResults(asAda('read'), id)
    expect(stored).toMatchObject({ uri: 'a\uFFFDb', name: 'half \uFFFD' })
    expect(await at.stores.runs.find(asAda('read'), id)).toMatchObject({
      environment: { 'ke\uFFFDy': 'val\uFFFDue' },
    })
  })

  test('takes 6,000 results at once, and of equal ones the last', async () => {
    const { id } = await createRun(await createProject())
    const results = Array.from({ length: 6_000 }, (_, index) => result(`bench ${index}`, { value: index }))
    const run = await complete(id, [...results, result('bench 3', { value: -1 })])
    expect(run.resultCount).toBe(6_000)
    expect(await at.stores.runs.findResult(asAda('read'), id, 'bench 3')).toMatchObject({ value: -1 })
    expect(await at.stores.runs.findResult(asAda('read'), id, 'bench 5999')).toMatchObject({ value: 5_999 })
  })

  test('large files find their benchmarks, under uris that they had too, and make those that are new', async () => {
    const projectId = await createProject()
    const results = Array.from({ length: 6_000 }, (_, index) => result(`bench ${index}`, { value: index }))
    const first = await createRun(projectId)
    await complete(first.id, results)
    const [renamed] = await at.stores.runs.listResults(asAda('read'), first.id)
    await at.stores.benchmarks.rename(asAda(), renamed?.benchmarkId ?? '', 'renamed')
    const second = await createRun(projectId)
    await complete(second.id, [...results, result('new')])
    const [before = [], after = []] = await at.stores.runs.listResultsOf(asAda('read'), [first.id, second.id])
    const idsOf = (listed: typeof before) => new Map(listed.map(({ uri, benchmarkId }) => [uri, benchmarkId]))
    expect(before.map(({ uri }) => uri)).toContain('renamed')
    expect(after).toHaveLength(6_001)
    const added = idsOf(after)
    expect(added.get('new')).toMatch(/^ben_/)
    added.delete('new')
    expect(added).toEqual(idsOf(before))
  })

  test('two runs of which each has a benchmark of its own are told apart', async () => {
    const projectId = await createProject()
    const [one, other] = [await createRun(projectId), await createRun(projectId)]
    await complete(one.id, [result('both', { value: 1 }), result('only one')])
    await complete(other.id, [result('both', { value: 2 }), result('only other')])
    const listed = await at.stores.runs.listResultsOf(asAda('read'), [one.id, other.id])
    expect(listed.map((results) => results.map(({ uri }) => uri))).toEqual([
      ['both', 'only one'],
      ['both', 'only other'],
    ])
    expect(listed.map(([both]) => both?.value)).toEqual([1, 2])
    expect(await at.stores.runs.listResultsOf(asBob(), [one.id, other.id])).toEqual([[], []])
  })

  test.each([1, 1_200])('keeps the values of the processes of %i results', async (count) => {
    const { id } = await createRun(await createProject())
    const processValues = [12.1, null, 1 / 3]
    const results = Array.from({ length: count }, (_, index) => result(`bench ${index}`, { processValues }))
    await complete(id, results)
    const [stored] = await at.stores.runs.listResults(asAda('read'), id)
    expect(stored?.processValues).toEqual(processValues)
    expect(await at.stores.runs.findResult(asAda('read'), id, 'bench 0')).toMatchObject({ processValues })
    await complete(id, [result('bench 0')])
    expect(await at.stores.runs.findResult(asAda('read'), id, 'bench 0')).toMatchObject({
      processValues: null,
    })
  })

  test('refuses a viewer, and does not know runs of another workspace', async () => {
    const { id } = await createRun(await createProject())
    const outcome = { adapter: 'codspeed', warnings: [], environment: {}, results: [] }
    await expect(at.stores.runs.complete(asViewer(), id, outcome)).rejects.toThrow(NotPermitted)
    await expect(at.stores.runs.fail(asViewer(), id, [])).rejects.toThrow(NotPermitted)
    await expect(at.stores.runs.complete(asBob(), id, outcome)).rejects.toThrow('is gone')
    await at.stores.runs.fail(asBob(), id, [])
    expect(await at.stores.runs.find(asAda('read'), id)).toMatchObject({ status: 'PENDING' })
  })
})

test('fail() ends a pending run, and leaves a completed one', async () => {
  const projectId = await createProject()
  const { id } = await createRun(projectId)
  await at.stores.runs.fail(asAda(), id, ['no results in the file'])
  expect(await at.stores.runs.find(asAda('read'), id)).toMatchObject({
    status: 'FAILURE',
    warnings: ['no results in the file'],
  })
  const done = await createRun(projectId)
  await complete(done.id, [])
  await at.stores.runs.fail(asAda(), done.id, ['late'])
  expect(await at.stores.runs.find(asAda('read'), done.id)).toMatchObject({ status: 'COMPLETED' })
})

test('findLatest() finds the other run of a measurement, within its project', async () => {
  const [projectId, other] = [await createProject(), await createProject()]
  const base = await createRun(projectId, { measurementId: 'm1' })
  await complete(base.id, [])
  await complete((await createRun(other, { measurementId: 'm1' })).id, [])
  const head = await createRun(projectId, { measurementId: 'm1' })
  expect(head.measurementId).toBe('m1')
  const found = await at.stores.runs.findLatest(asAda('read'), {
    projectId,
    measurementId: 'm1',
    before: head.createdAt,
  })
  expect(found?.id).toBe(base.id)
  expect(await at.stores.runs.findLatest(asAda('read'), { projectId, measurementId: 'm2' })).toBeUndefined()
})

test('findLatest() prefers a run that measured the same, and one of another commit, when asked to', async () => {
  const projectId = await createProject()
  const recorded = async (uris: string[], change: Partial<Run> = {}) => {
    const run = await createRun(projectId, change)
    await complete(
      run.id,
      uris.map((uri) => result(uri)),
    )
    return run
  }
  const other = await recorded(['a', 'b'], { commitHash: 'c0ffee1' })
  const same = await recorded(['a'], { commitHash: 'c0ffee2' })
  const ofAnotherJob = await recorded(['x'], { commitHash: 'c0ffee2' })
  const head = await recorded(['a'], { commitHash: 'c0ffee2' })
  const stranger = await recorded(['never before'])
  const latest = async (filter: Parameters<typeof at.stores.runs.findLatest>[1]) =>
    (await at.stores.runs.findLatest(asAda('read'), { projectId, branch: 'main', ...filter }))?.id
  expect(await latest({ before: head.createdAt })).toBe(ofAnotherJob.id)
  expect(await latest({ before: head.createdAt, measuringLike: head })).toBe(same.id)
  expect(await latest({ measuringLike: head, notCommitHash: head.commitHash })).toBe(other.id)
  expect(await latest({ measuringLike: stranger })).toBeUndefined()
})

test('list() filters and pages newest first', async () => {
  const projectId = await createProject()
  const changes = [
    {},
    { branch: 'fix' },
    { event: 'pull_request', pullRequest: 7, branch: 'fix' },
    { status: 'FAILURE' as const },
  ]
  const ids = await inSequence(changes, async (change) => (await createRun(projectId, change)).id)
  const list = async (filter: Parameters<typeof at.stores.runs.list>[3]) => {
    const runs = await at.stores.runs.list(asAda('read'), projectId, { limit: 10 }, filter)
    return runs.map(({ id }) => ids.indexOf(id))
  }
  expect(await list({})).toEqual([3, 2, 1, 0])
  expect(await list({ branch: 'fix' })).toEqual([2, 1])
  expect(await list({ event: 'pull_request' })).toEqual([2])
  expect(await list({ pullRequest: 7 })).toEqual([2])
  expect(await list({ status: 'FAILURE' })).toEqual([3])
  const [first] = await at.stores.runs.list(asAda('read'), projectId, { limit: 1 }, {})
  const next = await at.stores.runs.list(asAda('read'), projectId, { limit: 1, after: first }, {})
  expect(next.map(({ id }) => ids.indexOf(id))).toEqual([2, 1])
})

test('findLatest() knows completed runs only: of a project, of a branch, before a time, of everything', async () => {
  const projectId = await createProject()
  const first = await createRun(projectId)
  const onFix = await createRun(projectId, { branch: 'fix' })
  await createRun(projectId)
  await complete(first.id, [])
  await complete(onFix.id, [])
  const latest = async (filter: Parameters<typeof at.stores.runs.findLatest>[1]) =>
    (await at.stores.runs.findLatest(asAda('read'), filter))?.id
  expect(await latest({ projectId })).toBe(onFix.id)
  expect(await latest({ projectId, branch: 'main' })).toBe(first.id)
  expect(await latest({ projectId, before: onFix.createdAt })).toBe(
    first.createdAt < onFix.createdAt ? first.id : undefined,
  )
  expect(await latest({})).toBe(onFix.id)
  expect(await latest({ branch: 'none' })).toBeUndefined()
  expect(await at.stores.runs.findLatest(asBob(), {})).toBeUndefined()
})

describe('benchmarks', () => {
  test('have a history, newest run first whichever finished first', async () => {
    const projectId = await createProject()
    const runs = await inSequence(['main', 'fix', 'main'], (branch) =>
      createRun(projectId, { branch, environment: { os: branch } }),
    )
    await inSequence(runs.toReversed(), ({ id }) =>
      complete(id, [result('a', { value: runs.findIndex((run) => run.id === id) })]),
    )
    const benchmark = await at.stores.benchmarks.findByUri(asAda('read'), projectId, 'a')
    expect(benchmark).toMatchObject({ uri: 'a', name: 'a', instrument: 'walltime', projectId })
    const benchmarkId = benchmark?.id ?? ''
    expect(await at.stores.benchmarks.find(asAda('read'), benchmarkId)).toEqual(benchmark)
    expect(await at.stores.benchmarks.find(asBob(), benchmarkId)).toBeUndefined()
    const { points: history, environments } = await at.stores.benchmarks.history(asAda('read'), benchmarkId, {
      limit: 10,
    })
    expect(history.map(({ value }) => value)).toEqual([2, 1, 0])
    expect(history[1]).toEqual({
      runId: runs[1]?.id,
      branch: 'fix',
      commitHash: 'c0ffee',
      commitMessage: 'Brew',
      at: runs[1]?.createdAt,
      environmentId: expect.stringMatching(/^env_/),
      value: 1,
      unit: 'ns',
      stdev: 0.5,
    })
    expect(environments[history[1]?.environmentId ?? '']).toEqual({ os: 'fix' })
    expect(Object.keys(environments)).toHaveLength(2)
    const onMain = await at.stores.benchmarks.history(asAda('read'), benchmarkId, {
      branch: 'main',
      limit: 1,
    })
    expect(onMain.points.map(({ value }) => value)).toEqual([2])
    expect(await at.stores.runs.findResult(asAda('read'), runs[0]?.id ?? '', benchmarkId)).toMatchObject({
      value: 0,
    })
    expect(await at.stores.benchmarks.history(asBob(), benchmarkId, { limit: 10 })).toEqual({
      points: [],
      environments: {},
    })
  })

  test('are listed with their latest value', async () => {
    const projectId = await createProject()
    const first = await createRun(projectId)
    const second = await createRun(projectId)
    await complete(first.id, [result('parse::json', { value: 1 }), result('parse::xml')])
    await complete(second.id, [result('parse::json', { value: 2, unit: 'ms' })])
    const listed = await at.stores.benchmarks.list(
      asAda('read'),
      projectId,
      { limit: 10 },
      { search: 'JSON' },
    )
    expect(listed).toEqual([
      {
        id: expect.stringMatching(/^ben_/),
        workspaceId: ada.workspaceId,
        projectId,
        uri: 'parse::json',
        name: 'json',
        instrument: 'walltime',
        metric: 'time',
        betterWhen: 'lower',
        createdAt: expect.any(Date),
        lastValue: 2,
        lastUnit: 'ms',
        lastRunId: second.id,
        lastRunAt: second.createdAt,
        runCount: 2,
        openAlertCount: 0,
        trend: [1, 2],
        formerUris: [],
        ...ordinary,
      },
    ])
    const [newest] = await at.stores.benchmarks.list(asAda('read'), projectId, { limit: 1 })
    const rest = await at.stores.benchmarks.list(asAda('read'), projectId, { limit: 1, after: newest })
    expect(new Set([newest?.uri, ...rest.map(({ uri }) => uri)])).toEqual(
      new Set(['parse::json', 'parse::xml']),
    )
    expect(await at.stores.benchmarks.list(asBob(), projectId, { limit: 10 })).toEqual([])
  })
})
