import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@flamegate/contract'
import { NotPermitted, type BenchChange } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { findOpenBenchRuns } from '../open-bench-runs.ts'
import { findPastRetention } from '../past-retention.ts'
import { prepareProject } from '../testing.ts'

const { at, ada, projectId, asAda, asBob, asViewer } = prepareProject({ roleOfAda: 'member' })

const runs = () => at.stores.benchRuns
const nothing: BenchChange = { run: {}, shards: [], events: [] }

async function generator(agentGroup: string, name = newId('loadGenerator'), engines: object[] = []) {
  const connected = await at.stores.loadGenerators.connect(asAda(), {
    id: newId('loadGenerator'),
    workspaceId: ada.workspaceId,
    name,
    agentGroup,
    version: '1',
    cores: 2,
    facts: { memory_bytes: 1e9, engines },
  })
  if (connected === undefined) throw new TypeError('There is no place for a generator')
  return connected
}

const createRun = (
  agentGroup: string,
  shards: number,
  caller = asAda(),
  scenarioId: string | null = null,
  engines: string[] = [],
) =>
  runs().create(
    caller,
    {
      id: newId('benchResult'),
      workspaceId: ada.workspaceId,
      projectId,
      scenarioId,
      scenarioVersion: null,
      name: 'Checkout',
      durationMs: 60_000,
      agentWaitMs: 60_000,
      taskId: newId('task'),
      benchReportId: null,
      plan: { scenario: { name: 'Checkout' }, virtual_users: [], servers: [], variables: [], actions: [] },
    },
    Array.from({ length: shards }, (_, shareIndex) => ({
      id: newId('benchShard'),
      agentGroup,
      shareIndex,
      shareCount: shards,
      engines,
    })),
  )

test('a run waits for agents, with its plan and its shards', async () => {
  const run = await createRun('whole', 2)
  expect(run).toMatchObject({ state: 'PENDING', durationMs: 60_000, events: [], startedAt: null })
  expect(await runs().find(asAda(), run.id)).toEqual(run)
  expect(await runs().findPlan(asAda(), run.id)).toMatchObject({ scenario: { name: 'Checkout' } })
  expect(await runs().listShards(asAda(), run.id)).toMatchObject([
    { slot: 0, shareIndex: 0, shareCount: 2, state: 'WAITING' },
    { slot: 1, shareIndex: 1, shareCount: 2, state: 'WAITING' },
  ])
})

test('each shard goes to one generator of its group, also when many ask at once', async () => {
  const run = await createRun('crowd', 3)
  const generators = await Promise.all(Array.from({ length: 6 }, () => generator('crowd')))
  const other = await generator('elsewhere')
  expect(await runs().lease(asAda(), other, new Date())).toBeUndefined()
  const leased = await Promise.all(generators.map((each) => runs().lease(asAda(), each, new Date())))
  const slots = leased.flatMap((shard) => (shard === undefined ? [] : [shard.slot]))
  expect(slots.toSorted((a, b) => a - b)).toEqual([0, 1, 2])
  const holders = (await runs().listShards(asAda(), run.id)).map(({ loadGeneratorId }) => loadGeneratorId)
  expect(new Set(holders).size).toBe(3)
  const busy = (await at.stores.loadGenerators.list(asAda(), ada.workspaceId)).filter(
    ({ benchResultId }) => benchResultId === run.id,
  )
  expect(new Set(busy.map(({ id }) => id))).toEqual(new Set(holders))
})

test('a generator that said that it ends has left, until something is heard of its name again', async () => {
  const find = async (id: string) => at.stores.loadGenerators.find(asAda(), id)
  const leaving = await generator('leaving', 'leaving', [engine(true)])
  expect(leaving.hasLeft).toBe(false)
  await at.stores.loadGenerators.disconnect(asAda(), leaving)
  const left = await find(leaving.id)
  expect(left).toMatchObject({ hasLeft: true, engines: [engine(true)] })
  expect(left?.lastSeenAt.getTime()).toBeGreaterThanOrEqual(leaving.lastSeenAt.getTime())
  // Not within the same millisecond.
  await sleep(2)
  await runs().lease(asAda(), leaving, new Date())
  expect(await find(leaving.id)).toMatchObject({ hasLeft: false })
  // It asks, and has left before it is served; it is asked for again and again, for as long as the call waits.
  const run = await createRun('leaving', 1)
  const askedAt = new Date()
  await sleep(2)
  await at.stores.loadGenerators.disconnect(asAda(), leaving)
  await sleep(2)
  expect(await runs().lease(asAda(), leaving, askedAt)).toBeUndefined()
  expect(await runs().lease(asAda(), leaving, askedAt)).toBeUndefined()
  expect(await find(leaving.id)).toMatchObject({ hasLeft: true })
  expect((await runs().listShards(asAda(), run.id)).map(({ state }) => state)).toEqual(['WAITING'])
  expect(await generator('leaving', 'leaving')).toMatchObject({ id: leaving.id, hasLeft: false })
  await expect(at.stores.loadGenerators.disconnect(asBob(), leaving)).rejects.toThrow(NotPermitted)
})

const engine = (is_allowed: boolean) => ({ type: 'k6', version: '1.0.0', is_allowed })
const foundAction = (name: string) => ({ profile: 0, action_id: name, type: 'http_request', name, path: [] })

test('a shard that asks for an engine goes to an agent that has it and may run it', async () => {
  await createRun('engines', 1, asAda(), null, ['k6'])
  const [plain, forbidden, allowed] = [
    await generator('engines'),
    await generator('engines', 'forbidden', [engine(false)]),
    await generator('engines', 'allowed', [engine(true)]),
  ]
  expect(await runs().lease(asAda(), plain, new Date())).toBeUndefined()
  expect(await runs().lease(asAda(), forbidden, new Date())).toBeUndefined()
  expect(await runs().lease(asAda(), allowed, new Date())).toMatchObject({ engines: ['k6'] })
  expect(forbidden.engines).toEqual([engine(false)])
})

test('actions that are found on the way are added once, also when many agents find them at once', async () => {
  const run = await createRun('finders', 1)
  const add = (...names: string[]) =>
    runs().addActions(asAda(), run.id, (known) =>
      names.filter((name) => !known.some((each) => each.name === name)).map(foundAction),
    )
  await Promise.all([add('a', 'b'), add('b', 'c'), add('c', 'a')])
  const plan = await runs().findPlan(asAda(), run.id)
  expect(plan?.actions.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c'])
  expect(plan).toMatchObject({ scenario: { name: 'Checkout' } })
  expect(await runs().addActions(asBob(), run.id, () => [foundAction('d')])).toBeUndefined()
  expect(await runs().addActions(asViewer(), run.id, () => [foundAction('d')])).toBeUndefined()
})

test('what was stopped or has ended is not given to anybody', async () => {
  const run = await createRun('stopped', 1)
  await runs().change(asAda(), run.id, () => ({ ...nothing, run: { stopAskedAt: new Date() } }))
  expect(await runs().lease(asAda(), await generator('stopped'), new Date())).toBeUndefined()
})

test('a generator goes on, until it is lost: what it says after that changes nothing', async () => {
  const run = await createRun('reports', 1)
  const leased = await runs().lease(asAda(), await generator('reports'), new Date())
  const shardId = leased?.id ?? ''
  await runs().report(asAda(), shardId, { state: 'READY', message: '' })
  expect(await runs().findShard(asAda(), shardId)).toMatchObject({ state: 'READY', endedAt: null })
  await runs().change(asAda(), run.id, () => ({
    ...nothing,
    shards: [{ id: shardId, state: 'LOST', shareIndex: null, shareCount: null }],
  }))
  await runs().report(asAda(), shardId, { state: 'RUNNING', message: 'I am back' })
  expect(await runs().findShard(asAda(), shardId)).toMatchObject({
    state: 'LOST',
    shareIndex: null,
    message: '',
    endedAt: expect.any(Date),
  })
})

test('a generator that was silent goes on with its shard while nobody else has it, but leaves it to others if it ends', async () => {
  const run = await createRun('silent', 1)
  const holder = await generator('silent')
  const leased = await runs().lease(asAda(), holder, new Date())
  const shardId = leased?.id ?? ''
  const giveUp = () =>
    runs().change(asAda(), run.id, () => ({ ...nothing, shards: [{ id: shardId, state: 'WAITING' }] }))
  const state = async () => (await runs().findShard(asAda(), shardId))?.state
  const report = (to: 'READY' | 'FAILED', loadGeneratorId?: string) =>
    runs().report(asAda(), shardId, { state: to, message: '', loadGeneratorId })
  await giveUp()
  // One of before, of which nobody knows who it is.
  await report('READY')
  expect(await state()).toBe('WAITING')
  await report('FAILED', holder.id)
  expect(await state()).toBe('WAITING')
  await report('READY', holder.id)
  expect(await state()).toBe('READY')
})

test('a shard that another generator has by now is not moved by the one before, which is heard all the same', async () => {
  const run = await createRun('taken', 1)
  const [before, holder] = [await generator('taken'), await generator('taken')]
  const shardId = (await runs().lease(asAda(), before, new Date()))?.id ?? ''
  await runs().change(asAda(), run.id, () => ({ ...nothing, shards: [{ id: shardId, state: 'WAITING' }] }))
  expect((await runs().lease(asAda(), holder, new Date()))?.id).toBe(shardId)
  await at.admin.query(
    `UPDATE load_generators SET last_seen_at = now() - interval '1 minute' WHERE id = ANY ($1)`,
    [[before.id, holder.id]],
  )
  await runs().report(asAda(), shardId, { state: 'READY', message: '', loadGeneratorId: before.id })
  expect(await runs().findShard(asAda(), shardId)).toMatchObject({
    state: 'PREPARING',
    loadGeneratorId: holder.id,
  })
  const isHeard = async ({ id }: { id: string }) =>
    Date.now() - ((await at.stores.loadGenerators.find(asAda(), id))?.lastSeenAt.getTime() ?? 0) < 50_000
  expect([await isHeard(before), await isHeard(holder)]).toEqual([true, false])
})

test('who sees to a run learns for how long nobody did, and since when somebody does', async () => {
  const run = await createRun('watched', 1)
  const openMs = async () =>
    (await findOpenBenchRuns(at.database)).find(({ id }) => id === run.id)?.unwatchedMs
  const first = await runs().noteWatched(asAda(), run.id)
  expect(first).toMatchObject({ pauseMs: null })
  const second = await runs().noteWatched(asAda(), run.id)
  expect(second?.since).toEqual(first?.since)
  expect(second?.pauseMs).toBeGreaterThanOrEqual(0)

  await at.admin.query(`UPDATE bench_results SET watched_at = now() - interval '1 minute' WHERE id = $1`, [
    run.id,
  ])
  expect(await openMs()).toBeGreaterThanOrEqual(60_000)
  const third = await runs().noteWatched(asAda(), run.id)
  expect(third?.pauseMs).toBeGreaterThanOrEqual(60_000)
  expect(third?.since.getTime()).toBeGreaterThan(first?.since.getTime() ?? Infinity)

  await runs().change(asAda(), run.id, () => ({
    ...nothing,
    run: { state: 'FINISHED', endedAt: new Date() },
  }))
  expect(await runs().noteWatched(asAda(), run.id)).toBeUndefined()
  expect(await openMs()).toBeUndefined()
})

test('changes come one after the other, each of what the other one left', async () => {
  const run = await createRun('counted', 1)
  await Promise.all(
    Array.from({ length: 8 }, () =>
      runs().change(asAda(), run.id, ({ sharesVersion }) => ({
        run: { sharesVersion: sharesVersion + 1 },
        shards: [],
        events: [{ at: '2026-11-22T10:00:00.000Z', kind: 'load', words: `${sharesVersion}` }],
      })),
    ),
  )
  const after = await runs().find(asAda(), run.id)
  expect(after?.sharesVersion).toBe(8)
  expect(after?.events.map(({ words }) => words)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
})

test('what has ended stays as it is', async () => {
  const run = await createRun('ended', 1)
  expect(await runs().listOpen(asAda(), ada.workspaceId)).toContain(run.id)
  await runs().change(asAda(), run.id, () => ({ ...nothing, run: { state: 'ABORTED', endedAt: new Date() } }))
  expect(await runs().listOpen(asAda(), ada.workspaceId)).not.toContain(run.id)
  let isAsked = false
  const after = await runs().change(asAda(), run.id, () => {
    isAsked = true
    return { ...nothing, run: { state: 'RUNNING' } }
  })
  expect([isAsked, after?.state]).toEqual([false, 'ABORTED'])
})

test('samples are kept once', async () => {
  const run = await createRun('samples', 1)
  const [shard] = await runs().listShards(asAda(), run.id)
  if (shard === undefined) throw new TypeError('The run has no shard')
  const sample = {
    id: newId('benchSample'),
    action: 3,
    profile: 0,
    errorClass: 'status_5xx' as const,
    message: 'The server answered 500\0',
    at: new Date('2026-11-22T10:00:00.000Z'),
    exchange: { request: { method: 'GET' } },
  }
  await runs().addSamples(asAda(), shard, [sample])
  await runs().addSamples(asAda(), shard, [sample])
  expect(await runs().listSamples(asAda(), run.id, 10)).toEqual([
    { ...sample, message: 'The server answered 500\uFFFD' },
  ])
})

test('others see nothing of it, and viewers change nothing', async () => {
  const run = await createRun('private', 1)
  expect(await runs().find(asBob(), run.id)).toBeUndefined()
  expect(await runs().findPlan(asBob(), run.id)).toBeUndefined()
  expect(await runs().listShards(asBob(), run.id)).toEqual([])
  expect(await runs().change(asBob(), run.id, () => nothing)).toBeUndefined()
  expect(await at.stores.loadGenerators.list(asBob(), ada.workspaceId)).toEqual([])
  await expect(runs().lease(asBob(), await generator('private'), new Date())).rejects.toThrow(NotPermitted)
  await expect(createRun('private', 1, asViewer())).rejects.toThrow(NotPermitted)
  expect(await runs().find(asViewer(), run.id)).toMatchObject({ id: run.id })
})

test('the last run of each scenario', async () => {
  const [first, second, never] = [newId('scenario'), newId('scenario'), newId('scenario')]
  await createRun('last', 1, asAda(), first)
  const newest = await createRun('last', 1, asAda(), first)
  const other = await createRun('last', 1, asAda(), second)
  const last = await runs().lastOf(asAda(), [first, second, never])
  expect([...last].map(([id, run]) => [id, run.id])).toEqual([
    [first, newest.id],
    [second, other.id],
  ])
  expect((await runs().lastOf(asBob(), [first])).size).toBe(0)
})

test('runs that have measured something are in the order in which they began', async () => {
  const began = async (start: string) => {
    const { id } = await createRun('measured', 1, asAda(), scenarioId)
    const startedAt = new Date(start)
    await runs().change(asAda(), id, () => ({
      ...nothing,
      run: { state: 'FINISHED', startedAt, endedAt: startedAt },
    }))
    return id
  }
  const scenarioId = newId('scenario')
  // What another tool measured may be imported long after that.
  const newest = await began('2026-03-01T00:00:00Z')
  const oldest = await began('2026-01-01T00:00:00Z')
  const middle = await began('2026-02-01T00:00:00Z')
  await createRun('measured', 1, asAda(), scenarioId)
  const listed = async (filter: object, limit = 10) => {
    const found = await runs().list(
      asAda(),
      { projectId, scenarioId, areMeasured: true, ...filter },
      { limit },
    )
    return found.map(({ id }) => id)
  }
  expect(await listed({})).toEqual([newest, middle, oldest])
  // One more than is asked for says that there are more.
  expect(await listed({}, 1)).toEqual([newest, middle])
  const [createdAfter, createdBefore] = [new Date('2026-02-01T00:00:00Z'), new Date('2026-03-01T00:00:00Z')]
  expect(await listed({ createdAfter, createdBefore })).toEqual([middle])
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

const findOld = (limit: number) => findPastRetention(at.database, 'bench_results', { limit, daysMax: 30 })

test('runs that ended long ago are found, but for baselines and what goes on', async () => {
  const inState = async (endedAt: Date | null, createdAt = daysAgo(60)) => {
    const { id } = await createRun('old', 1)
    await runs().change(asAda(), id, () => ({ ...nothing, run: { state: 'FINISHED', endedAt } }))
    await at.admin.query('UPDATE bench_results SET created_at = $2 WHERE id = $1', [id, createdAt])
    return id
  }
  const [older, old, young, open, baseline, imported] = [
    await inState(daysAgo(40)),
    await inState(daysAgo(31)),
    await inState(daysAgo(29)),
    await inState(null),
    await inState(daysAgo(50)),
    // Measured long ago, and here since yesterday.
    await inState(daysAgo(400), daysAgo(1)),
  ]
  await runs().update(asAda(), baseline, { isBaseline: true })
  const found = await findOld(10)
  expect(found.map(({ id }) => id)).toEqual([older, old])
  expect(await findOld(1)).toHaveLength(1)
  expect([young, open, imported].every((id) => !found.some((each) => each.id === id))).toBe(true)
})

test('a scenario has one baseline, also when several runs are made it at once', async () => {
  const scenarioId = newId('scenario')
  const made = await Promise.all([1, 2, 3, 4].map(() => createRun('baselines', 1, asAda(), scenarioId)))
  await Promise.all(made.map(({ id }) => runs().update(asAda(), id, { isBaseline: true })))
  const listed = await runs().list(asAda(), { projectId, scenarioId }, { limit: 9 })
  expect(listed.filter(({ isBaseline }) => isBaseline)).toHaveLength(1)
})
