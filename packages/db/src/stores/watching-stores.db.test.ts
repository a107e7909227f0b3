import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '@flamegate/contract'
import { Conflict, NotPermitted, type NewAlert, type NewResult, type Run } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { inSequence, plainRun, preparePeople, waitUntilBlocked } from '../testing.ts'

const { at, ada, asAda, asBob, asViewer, createProject } = preparePeople()

const result = (uri: string, value: number, change: Partial<NewResult> = {}): NewResult => ({
  uri,
  name: uri,
  instrument: 'walltime',
  metric: 'time',
  betterWhen: 'lower',
  value,
  unit: 'ns',
  stats: {},
  metrics: [],
  ...change,
})

const memory = (value: number, unit: string): NewResult =>
  result('a', 1, { metrics: [{ name: 'memory', value, unit, betterWhen: 'lower' }] })

async function submit(projectId: string, results: NewResult[], change: Partial<Run> = {}): Promise<Run> {
  const run = await at.stores.runs.create(asAda(), {
    ...plainRun,
    id: newId('run'),
    workspaceId: ada.workspaceId,
    projectId,
    ...change,
  })
  return at.stores.runs.complete(asAda(), run.id, {
    adapter: 'codspeed',
    warnings: [],
    environment: {},
    results,
  })
}

const idOf = async (projectId: string, uri: string): Promise<string> =>
  (await at.stores.benchmarks.findByUri(asAda('read'), projectId, uri))?.id ?? ''

const alertAbout = (benchmarkId: string, run: Run, change: Partial<NewAlert> = {}): NewAlert => ({
  benchmarkId,
  metric: 'time',
  branch: 'main',
  test: 'change_point',
  runId: run.id,
  raisedByRunId: run.id,
  verdict: 'regressed',
  unit: 'ns',
  baseline: 10,
  value: 12,
  crossedLimit: null,
  changePercent: 20,
  reason: 'The level is up.',
  ...change,
})

describe('rename()', () => {
  test('lets runs with either uri go on with the same history', async () => {
    const projectId = await createProject()
    await submit(projectId, [result('old', 1)])
    const id = await idOf(projectId, 'old')
    const renamed = await at.stores.benchmarks.rename(asAda(), id, 'new')
    expect(renamed).toMatchObject({ id, uri: 'new', formerUris: ['old'] })
    await submit(projectId, [result('new', 2)])
    await submit(projectId, [result('old', 3)])
    const history = await at.stores.benchmarks.history(asAda('read'), id, { limit: 10 })
    expect(history.points.map(({ value }) => value)).toEqual([3, 2, 1])
    expect(await at.stores.projects.findWithCounts(asAda('read'), projectId)).toMatchObject({
      benchmarkCount: 1,
    })
  })

  test('leaves the former uri as a way to the benchmark and its results, after whose uri it is now', async () => {
    const projectId = await createProject()
    const run = await submit(projectId, [result('old', 1)])
    const id = await idOf(projectId, 'old')
    await at.stores.benchmarks.rename(asAda(), id, 'new')
    const find = (uri: string) => at.stores.benchmarks.findByUri(asAda('read'), projectId, uri)
    expect(await find('old')).toMatchObject({ id, uri: 'new' })
    expect(await at.stores.runs.findResult(asAda('read'), run.id, 'old')).toMatchObject({
      benchmarkId: id,
      uri: 'new',
      value: 1,
    })
    // Measured in another way, it is another benchmark, whose uri this is now.
    await submit(projectId, [result('old', 2, { instrument: 'memory', metric: 'peak_memory' })])
    const other = await find('old')
    expect(other).toMatchObject({ uri: 'old', instrument: 'memory' })
    expect(await at.stores.benchmarks.listByUri(asAda('read'), projectId, 'old')).toEqual([other])
  })

  test('of a run with both uris the one that it has now counts', async () => {
    const projectId = await createProject()
    await submit(projectId, [result('b', 1)])
    const id = await idOf(projectId, 'b')
    await at.stores.benchmarks.rename(asAda(), id, 'a')
    const run = await submit(projectId, [result('a', 2), result('b', 3)])
    expect(run.resultCount).toBe(1)
    expect(await at.stores.runs.findResult(asAda('read'), run.id, id)).toMatchObject({ value: 2 })
  })

  test('and back again leaves the other uri as the former one', async () => {
    const projectId = await createProject()
    await submit(projectId, [result('a', 1)])
    const id = await idOf(projectId, 'a')
    await at.stores.benchmarks.rename(asAda(), id, 'b')
    expect(await at.stores.benchmarks.rename(asAda(), id, 'a')).toMatchObject({ uri: 'a', formerUris: ['b'] })
  })

  test('refuses a uri that another has or had, a viewer, and does not know that of a stranger', async () => {
    const projectId = await createProject()
    await submit(projectId, [result('a', 1), result('b', 1)])
    const [a, b] = [await idOf(projectId, 'a'), await idOf(projectId, 'b')]
    await expect(at.stores.benchmarks.rename(asAda(), a, 'b')).rejects.toThrow(Conflict)
    await at.stores.benchmarks.rename(asAda(), b, 'c')
    await expect(at.stores.benchmarks.rename(asAda(), a, 'b')).rejects.toThrow(Conflict)
    await expect(at.stores.benchmarks.rename(asViewer(), a, 'd')).rejects.toThrow(NotPermitted)
    expect(await at.stores.benchmarks.rename(asBob(), a, 'd')).toBeUndefined()
  })
})

test('merge() puts one history in front of another, and keeps its uri in mind', async () => {
  const projectId = await createProject()
  const first = await submit(projectId, [result('old', 1)])
  const both = await submit(projectId, [result('old', 2), result('new', 20)])
  await submit(projectId, [result('new', 30)])
  const [from, into] = [await idOf(projectId, 'old'), await idOf(projectId, 'new')]
  await at.stores.alerts.raise(asAda(), both, [
    alertAbout(from, first, { test: 'static' }),
    alertAbout(from, both),
    alertAbout(into, both),
  ])
  await expect(at.stores.benchmarks.merge(asViewer(), into, from)).rejects.toThrow(NotPermitted)
  expect(await at.stores.benchmarks.merge(asAda(), into, from)).toBe(1)
  const history = await at.stores.benchmarks.history(asAda('read'), into, { limit: 10 })
  expect(history.points.map(({ value }) => value)).toEqual([30, 20, 1])
  expect(await at.stores.benchmarks.find(asAda('read'), into)).toMatchObject({ formerUris: ['old'] })
  // Whoever knows the id that is gone goes on with the one that is left; others still see nothing.
  expect(await at.stores.benchmarks.find(asAda('read'), from)).toMatchObject({ id: into, uri: 'new' })
  expect(await at.stores.runs.findResult(asAda('read'), first.id, from)).toMatchObject({ benchmarkId: into })
  expect(await at.stores.benchmarks.find(asBob(), from)).toBeUndefined()
  const alerts = await at.stores.alerts.list(asAda('read'), projectId, { limit: 10 }, {})
  expect(alerts.map(({ benchmarkId }) => benchmarkId)).toEqual([into, into])
  expect(new Set(alerts.map((alert) => alert.test))).toEqual(new Set(['change_point', 'static']))
})

test('merge() keeps what was decided about the one that is gone, and its id through further merges', async () => {
  const projectId = await createProject()
  await submit(projectId, [result('a', 1), result('b', 2), result('c', 3)])
  const [a, b, c] = [await idOf(projectId, 'a'), await idOf(projectId, 'b'), await idOf(projectId, 'c')]
  await at.stores.benchmarks.update(asAda(), a, { isCritical: true, thresholdPercent: 2 })
  const place = { workspaceId: ada.workspaceId, projectId, branch: null, metric: null }
  const rule = { test: 'static', lowerBound: null, windowRuns: 64, sampleMin: 2 } as const
  await at.stores.thresholds.set(asAda(), { ...place, ...rule, benchmarkId: a, upperBound: 5 })
  await at.stores.benchmarks.merge(asAda(), b, a)
  expect(await at.stores.benchmarks.find(asAda('read'), b)).toMatchObject({
    isCritical: true,
    thresholdPercent: 2,
  })
  await at.stores.thresholds.set(asAda(), { ...place, ...rule, benchmarkId: c, upperBound: 7 })
  await at.stores.benchmarks.merge(asAda(), c, b)
  expect(await at.stores.benchmarks.find(asAda('read'), a)).toMatchObject({ id: c })
  const thresholds = await at.stores.thresholds.list(asAda('read'), projectId)
  expect(thresholds.map(({ benchmarkId, upperBound }) => [benchmarkId, upperBound])).toEqual([[c, 7]])
})

describe('of two who change benchmarks at once', () => {
  test('each changes what they gave, and nothing else', async () => {
    const projectId = await createProject()
    await submit(projectId, [result('a', 1)])
    const id = await idOf(projectId, 'a')
    const { updated } = await at.database.asCallerSql(asAda(), async (client) => {
      await client.query('UPDATE benchmarks SET is_critical = true WHERE id = $1', [id])
      const updating = at.stores.benchmarks.update(asAda(), id, { thresholdPercent: 3 })
      await waitUntilBlocked(client)
      return { updated: updating }
    })
    expect(await updated).toMatchObject({ isCritical: true, thresholdPercent: 3 })
  })

  test('both who rename one leave their uris as ways to it', async () => {
    const projectId = await createProject()
    await submit(projectId, [result('a', 1)])
    const id = await idOf(projectId, 'a')
    await Promise.all(['b', 'c', 'd'].map((uri) => at.stores.benchmarks.rename(asAda(), id, uri)))
    const renamed = await at.stores.benchmarks.find(asAda('read'), id)
    expect(new Set([...(renamed?.formerUris ?? []), renamed?.uri])).toEqual(new Set(['a', 'b', 'c', 'd']))
  })

  test('one merges, and the other finds that it was done', async () => {
    const projectId = await createProject()
    await submit(projectId, [result('a', 1), result('b', 2), result('c', 3)])
    await submit(projectId, [result('a', 1)])
    const [a, b, c] = [await idOf(projectId, 'a'), await idOf(projectId, 'b'), await idOf(projectId, 'c')]
    const merge = (into: string, from: string) => at.stores.benchmarks.merge(asAda(), into, from)
    const same = await Promise.all([merge(b, a), merge(b, a), merge(b, a)])
    expect(same.toSorted((one, other) => one - other)).toEqual([0, 0, 1])
    await Promise.all([merge(b, c), merge(c, b)])
    const left = await at.stores.benchmarks.find(asAda('read'), a)
    expect(await at.stores.benchmarks.find(asAda('read'), b)).toEqual(left)
    expect(await at.stores.benchmarks.find(asAda('read'), c)).toEqual(left)
    expect(left?.formerUris).toHaveLength(2)
  })

  test('one merges what a run has that another file is being read for, and neither fails', async () => {
    const projectId = await createProject()
    const run = await submit(projectId, [result('old', 1)])
    await submit(projectId, [result('new', 2)])
    const [from, into] = [await idOf(projectId, 'old'), await idOf(projectId, 'new')]
    const holder = await at.admin.connect()
    // What is being stored elsewhere, and waited for; without the lock on the project that a reference takes.
    await holder.query('BEGIN; SET LOCAL session_replication_role = replica')
    await holder.query(
      `INSERT INTO benchmarks (workspace_id, id, project_id, uri, name, instrument, metric, better_when)
        VALUES ($1, $2, $3, 'third', 'third', 'walltime', 'time', 'lower')`,
      [ada.workspaceId, newId('benchmark'), projectId],
    )
    const outcome = { adapter: 'codspeed', warnings: [], environment: {}, results: [result('third', 3)] }
    const completed = at.stores.runs.complete(asAda(), run.id, outcome)
    await waitUntilBlocked(holder)
    const merged = at.stores.benchmarks.merge(asAda(), into, from)
    const first = await Promise.race([merged, delay(2_000, 'kept waiting')])
    await holder.query('COMMIT')
    holder.release()
    expect(first).toBe(1)
    expect(await completed).toMatchObject({ resultCount: 2 })
  })
})

test('update() changes what is given; listed are those in the state that is asked for', async () => {
  const projectId = await createProject()
  await submit(projectId, [result('a', 1), result('b', 1)])
  const id = await idOf(projectId, 'a')
  expect(
    await at.stores.benchmarks.update(asAda(), id, { state: 'archived', thresholdPercent: 12 }),
  ).toMatchObject({ name: 'a', state: 'archived', isCritical: false, thresholdPercent: 12 })
  expect(await at.stores.benchmarks.update(asAda(), id, { thresholdPercent: null })).toMatchObject({
    state: 'archived',
    thresholdPercent: null,
  })
  const list = async (filter: { state?: 'active' | 'archived' }) => {
    const listed = await at.stores.benchmarks.list(asAda('read'), projectId, { limit: 10 }, filter)
    return listed.map(({ uri }) => uri).toSorted()
  }
  expect([await list({ state: 'active' }), await list({ state: 'archived' }), await list({})]).toEqual([
    ['b'],
    ['a'],
    ['a', 'b'],
  ])
  await expect(at.stores.benchmarks.update(asViewer(), id, {})).rejects.toThrow(NotPermitted)
  expect(await at.stores.benchmarks.update(asBob(), id, {})).toBeUndefined()
})

describe('series()', () => {
  test('has the values of many benchmarks over the newest runs of a branch, oldest first', async () => {
    const projectId = await createProject()
    const runs = await inSequence([1, 2, 3, 4], (value) =>
      submit(projectId, [result('a', value), ...(value % 2 === 0 ? [result('b', 10 * value)] : [])]),
    )
    await submit(projectId, [result('a', 99)], { branch: 'fix' })
    const [a, b] = [await idOf(projectId, 'a'), await idOf(projectId, 'b')]
    const [, earlier, , upTo] = runs
    if (earlier === undefined || upTo === undefined) throw new Error('There are four runs')
    const series = await at.stores.benchmarks.series(asAda('read'), [a, b], { upTo, branch: 'main', runs: 3 })
    expect(series).toEqual({
      runIds: runs.slice(1).map(({ id }) => id),
      ofBenchmark: new Map([
        [a, { unit: 'ns', values: [2, 3, 4], places: [0, 1, 2] }],
        [b, { unit: 'ns', values: [20, 40], places: [0, 2] }],
      ]),
    })
    const before = await at.stores.benchmarks.series(asAda('read'), [a], {
      upTo: earlier,
      branch: 'main',
      runs: 3,
    })
    expect(before.ofBenchmark.get(a)?.values).toEqual([1, 2])
  })

  test('knows further metrics, and only values in the unit of the newest', async () => {
    const projectId = await createProject()
    await submit(projectId, [memory(1, 'KiB')])
    await submit(projectId, [memory(2048, 'B')])
    const upTo = await submit(projectId, [memory(4096, 'B')])
    const a = await idOf(projectId, 'a')
    const { ofBenchmark } = await at.stores.benchmarks.series(asAda('read'), [a], {
      upTo,
      branch: 'main',
      runs: 9,
      metric: 'memory',
    })
    expect(ofBenchmark.get(a)).toEqual({ unit: 'B', values: [2048, 4096], places: [1, 2] })
    const history = await at.stores.benchmarks.history(asAda('read'), a, { metric: 'memory', limit: 9 })
    expect(history.points.map(({ value, unit }) => [value, unit])).toEqual([
      [4096, 'B'],
      [2048, 'B'],
      [1, 'KiB'],
    ])
    expect(await at.stores.benchmarks.metricsOf(asAda('read'), a)).toMatchObject([{ name: 'memory' }])
    const none = await at.stores.benchmarks.history(asAda('read'), a, { metric: 'none', limit: 9 })
    expect(none.points).toEqual([])
  })
})

test('noteNoise() is seen with the results', async () => {
  const projectId = await createProject()
  const run = await submit(projectId, [result('a', 1)])
  const benchmarkId = await idOf(projectId, 'a')
  await at.stores.benchmarks.noteNoise(asAda(), ada.workspaceId, [{ benchmarkId, percent: 1.5, runs: 40 }])
  const [stored] = await at.stores.runs.listResults(asAda('read'), run.id)
  expect(stored).toMatchObject({ noisePercent: 1.5, noiseRuns: 40 })
})

test('noteNoise() of several runs at once is noted for all, in whichever order it comes', async () => {
  const projectId = await createProject()
  const results = Array.from({ length: 500 }, (_, index) => result(`bench ${index}`, 1))
  const run = await submit(projectId, results)
  const stored = await at.stores.runs.listResults(asAda('read'), run.id)
  const noise = stored.map(({ benchmarkId }) => ({ benchmarkId, percent: 1.5, runs: 40 }))
  const note = (each: typeof noise) => at.stores.benchmarks.noteNoise(asAda(), ada.workspaceId, each)
  for (let round = 0; round < 3; round++) {
    // oxlint-disable-next-line no-await-in-loop -- once may go well by chance
    await Promise.all([note(noise), note(noise.toReversed()), note(noise), note(noise.toReversed())])
  }
  expect(await at.stores.benchmarks.find(asAda('read'), noise[0]?.benchmarkId ?? '')).toMatchObject({
    noiseRuns: 40,
  })
})

describe('thresholds', () => {
  const rule = {
    test: 'percentage',
    lowerBound: null,
    upperBound: 0.1,
    windowRuns: 64,
    sampleMin: 5,
  } as const

  test('are one for each target, also for the one that is everything', async () => {
    const projectId = await createProject()
    const set = (branch: string | null, upperBound: number) =>
      at.stores.thresholds.set(asAda(), {
        ...rule,
        upperBound,
        workspaceId: ada.workspaceId,
        projectId,
        branch,
        benchmarkId: null,
        metric: null,
      })
    const first = await set(null, 0.1)
    expect(await set(null, 0.2)).toMatchObject({ id: first.id, upperBound: 0.2 })
    await set('main', 0.3)
    const listed = await at.stores.thresholds.list(asAda('read'), projectId)
    expect(listed.map(({ branch, upperBound }) => [branch, upperBound])).toEqual([
      [null, 0.2],
      ['main', 0.3],
    ])
    const place = { workspaceId: ada.workspaceId, projectId }
    const target = { branch: null, benchmarkId: null, metric: null }
    await expect(at.stores.thresholds.remove(asViewer(), place, target)).rejects.toThrow(NotPermitted)
    expect(await at.stores.thresholds.remove(asAda(), place, target)).toBe(true)
    expect(await at.stores.thresholds.remove(asAda(), place, target)).toBe(false)
    expect(await at.stores.thresholds.list(asAda('read'), projectId)).toHaveLength(1)
    expect(await at.stores.thresholds.list(asBob(), projectId)).toEqual([])
  })
})

describe('alerts', () => {
  test('are raised once for a change, and one at a time', async () => {
    const projectId = await createProject()
    const first = await submit(projectId, [result('a', 1)])
    const second = await submit(projectId, [result('a', 2)])
    const id = await idOf(projectId, 'a')
    const raise = async (run: Run) =>
      (await at.stores.alerts.raise(asAda(), run, [alertAbout(id, run)])).length
    // Two workers at the same moment.
    const raised = await Promise.all([raise(first), raise(first)])
    expect(raised.toSorted((a, b) => a - b)).toEqual([0, 1])
    expect(await raise(second)).toBe(0)
    const [alert] = await at.stores.alerts.list(asAda('read'), projectId, { limit: 5 }, { state: 'open' })
    await at.stores.alerts.changeState(asAda(), alert?.id ?? '', { state: 'resolved', reason: 'Repaired' })
    expect(await raise(first)).toBe(0)
    expect(await raise(second)).toBe(1)
    // Only one of a kind is open.
    await expect(
      at.stores.alerts.changeState(asAda(), alert?.id ?? '', { state: 'open', reason: '' }),
    ).rejects.toThrow(Conflict)
  })

  test('know who changed them, when and why', async () => {
    const projectId = await createProject()
    const run = await submit(projectId, [result('a', 1)])
    const id = await idOf(projectId, 'a')
    const [raised] = await at.stores.alerts.raise(asAda(), run, [alertAbout(id, run)])
    expect(raised).toMatchObject({
      uri: 'a',
      commitHash: 'c0ffee12',
      state: 'open',
      stateBy: null,
      stateReason: '',
      stateAt: null,
    })
    const alertId = raised?.id ?? ''
    const changed = await at.stores.alerts.changeState(asAda(), alertId, {
      state: 'acknowledged',
      reason: 'Known',
    })
    expect(changed).toMatchObject({
      state: 'acknowledged',
      stateBy: 'ada@example.com',
      stateReason: 'Known',
      stateAt: expect.any(Date),
    })
    const change = { state: 'open', reason: '' } as const
    await expect(at.stores.alerts.changeState(asViewer(), alertId, change)).rejects.toThrow(NotPermitted)
    expect(await at.stores.alerts.changeState(asBob(), alertId, change)).toBeUndefined()
    expect(await at.stores.alerts.find(asBob(), alertId)).toBeUndefined()
  })

  test('that are muted are open again when the time is over', async () => {
    const projectId = await createProject()
    const run = await submit(projectId, [result('a', 1)])
    const id = await idOf(projectId, 'a')
    const [raised] = await at.stores.alerts.raise(asAda(), run, [alertAbout(id, run)])
    const mute = async (ms: number) => {
      const mutedUntil = new Date(Date.now() + ms)
      const alert = await at.stores.alerts.changeState(asAda(), raised?.id ?? '', {
        state: 'muted',
        reason: '',
        mutedUntil,
      })
      const [listed] = await at.stores.benchmarks.list(asAda('read'), projectId, { limit: 1 })
      return [alert?.state, listed?.openAlertCount]
    }
    expect(await mute(3_600_000)).toEqual(['muted', 0])
    expect(await mute(-3_600_000)).toEqual(['open', 1])
  })

  test('are listed by state, branch, metric, benchmark and run, newest first', async () => {
    const projectId = await createProject()
    const run = await submit(projectId, [result('a', 1), result('b', 1)])
    const [a, b] = [await idOf(projectId, 'a'), await idOf(projectId, 'b')]
    await at.stores.alerts.raise(asAda(), run, [
      alertAbout(a, run),
      alertAbout(a, run, { metric: 'memory' }),
      alertAbout(b, run, { branch: 'fix' }),
    ])
    const list = async (filter: Parameters<typeof at.stores.alerts.list>[3]) =>
      (await at.stores.alerts.list(asAda('read'), projectId, { limit: 10 }, filter)).length
    expect([
      await list({}),
      await list({ state: 'resolved' }),
      await list({ branch: 'fix' }),
      await list({ metric: 'memory' }),
      await list({ benchmarkId: a }),
      await list({ runId: run.id }),
      await list({ runId: 'another' }),
    ]).toEqual([3, 0, 1, 1, 2, 3, 0])
    const ofB = await at.stores.alerts.listOfBenchmarks(asAda('read'), projectId, [b], { branch: 'fix' })
    expect(ofB.map(({ benchmarkId }) => benchmarkId)).toEqual([b])
    expect(await at.stores.alerts.listOfBenchmarks(asBob(), projectId, [a, b])).toEqual([])
  })
})

test('a run is found by its commit, whole or abbreviated', async () => {
  const projectId = await createProject()
  const run = await submit(projectId, [], { commitHash: 'abcdef1234567890' })
  await submit(projectId, [], { commitHash: 'abcdef9999999999' })
  const find = async (commitHash: string) =>
    (await at.stores.runs.findLatest(asAda('read'), { projectId, commitHash }))?.id
  expect([await find('abcdef1'), await find('abcdef1234567890'), await find('bcdef12')]).toEqual([
    run.id,
    run.id,
    undefined,
  ])
})

test('many results come by COPY with everything that few bring', async () => {
  const projectId = await createProject()
  const results = Array.from({ length: 1_500 }, (_, index) =>
    result(`bench ${index}`, index / 3, {
      name: index === 7 ? 'half \uD800 and \0' : `Größe ${index}`,
      unit: 'ns',
      stats: { mean: index, statistic: 'mean' },
      metrics: [{ name: 'memory\0', value: 1e300, unit: 'B' }],
      ...(index % 2 === 0 ? { roundValues: [index, index + 0.5] } : {}),
    }),
  )
  const run = await submit(projectId, results)
  expect(run.resultCount).toBe(1_500)
  const stored = await at.stores.runs.listResults(asAda('read'), run.id, { withMetrics: true })
  const byUri = new Map(stored.map((each) => [each.uri, each]))
  expect(byUri.get('bench 8')).toMatchObject({
    value: 8 / 3,
    name: 'Größe 8',
    stats: { mean: 8, statistic: 'mean' },
    metrics: [{ name: 'memory\uFFFD', value: 1e300, unit: 'B' }],
  })
  const ids = ['bench 8', 'bench 9'].map((uri) => byUri.get(uri)?.benchmarkId ?? '')
  expect(await at.stores.runs.readRounds(asAda('read'), run.id, ids)).toEqual(new Map([[ids[0], [8, 8.5]]]))
  const again = await at.stores.runs.complete(asAda(), run.id, {
    adapter: 'codspeed',
    warnings: [],
    environment: {},
    results: results.map((each) => ({ ...each, value: -1 })),
  })
  expect(again.resultCount).toBe(1_500)
  expect(await at.stores.runs.findResult(asAda('read'), run.id, 'bench 3')).toMatchObject({ value: -1 })
})
