import { newId } from '@flamegate/contract'
import { NotPermitted, type BenchRunFilter } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { prepareProject } from '../testing.ts'

/** What people say of runs: names, tags, the baseline; which are found by that, and what is removed. */

const { at, ada, projectId, asAda, asBob, asViewer } = prepareProject({ roleOfAda: 'member' })

const runs = () => at.stores.benchRuns

async function runNamed(
  name: string,
  scenarioId: string | null = null,
  state: 'PENDING' | 'FINISHED' = 'FINISHED',
) {
  const shardId = newId('benchShard')
  const run = await runs().create(
    asAda(),
    {
      id: newId('benchResult'),
      workspaceId: ada.workspaceId,
      projectId,
      scenarioId,
      scenarioVersion: null,
      name,
      durationMs: 60_000,
      agentWaitMs: 60_000,
      taskId: newId('task'),
      benchReportId: newId('benchReport'),
      plan: { scenario: {}, virtual_users: [], servers: [], variables: [], actions: [] },
    },
    [{ id: shardId, agentGroup: 'default', shareIndex: 0, shareCount: 1, engines: [] }],
  )
  if (state === 'PENDING') return { ...run, shardId }
  const now = new Date()
  const change = { run: { state, startedAt: now, endedAt: now }, shards: [], events: [] }
  const ended = await runs().change(asAda(), run.id, () => change)
  return { ...(ended ?? run), shardId }
}

const names = async (filter: Omit<BenchRunFilter, 'projectId'>, caller = asAda()) =>
  (await runs().list(caller, { projectId, ...filter }, { limit: 100 })).map(({ name }) => name)

const named = (match: 'equals' | 'contains' | 'starts_with' | 'ends_with', text: string) =>
  names({ name: { match, text } })

test('runs are found by their names, whatever stands in them', async () => {
  for (const name of ['Cart 100%', 'cart 1000', 'Pay_now', 'Pay now']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for their order
    await runNamed(name)
  }
  expect(await named('starts_with', 'CART')).toEqual(['cart 1000', 'Cart 100%'])
  expect(await named('contains', '100%')).toEqual(['Cart 100%'])
  expect(await named('ends_with', '_now')).toEqual(['Pay_now'])
  expect(await named('equals', 'pay now')).toEqual(['Pay now'])
  expect(await named('equals', 'pay')).toEqual([])
})

test('runs are found by all of their tags, by when they were made, and by whether they measured anything', async () => {
  const { id, createdAt } = await runNamed('Tagged')
  await runs().update(asAda(), id, { tags: ['nightly', 'eu'] })
  await runNamed('Waiting', null, 'PENDING')
  expect(await names({ tags: ['eu', 'nightly'] })).toEqual(['Tagged'])
  expect(await names({ tags: ['eu', 'us'] })).toEqual([])
  expect(await names({ createdBefore: createdAt, tags: ['eu'] })).toEqual([])
  expect(await names({ createdAfter: createdAt, tags: ['eu'] })).toEqual(['Tagged'])
  expect(await names({ name: { match: 'equals', text: 'Waiting' } })).toEqual(['Waiting'])
  expect(await names({ name: { match: 'equals', text: 'Waiting' }, areMeasured: true })).toEqual([])
})

test('a scenario has one baseline at most', async () => {
  const scenarioId = newId('scenario')
  const [first, second, other] = [
    await runNamed('First', scenarioId),
    await runNamed('Second', scenarioId),
    await runNamed('Other', newId('scenario')),
  ]
  expect(await runs().findBaseline(asAda(), scenarioId)).toBeUndefined()
  await runs().update(asAda(), other.id, { isBaseline: true })
  await runs().update(asAda(), first.id, { isBaseline: true })
  await runs().update(asAda(), second.id, { isBaseline: true, name: 'The one' })
  expect(await runs().findBaseline(asAda(), scenarioId)).toMatchObject({ id: second.id, name: 'The one' })
  expect(await runs().find(asAda(), first.id)).toMatchObject({ isBaseline: false })
  expect(await runs().find(asAda(), other.id)).toMatchObject({ isBaseline: true })
  await runs().update(asAda(), second.id, { isBaseline: false })
  expect(await runs().findBaseline(asAda(), scenarioId)).toBeUndefined()
})

test('a run is removed with its shards, samples and series, and not while it goes on', async () => {
  const run = await runNamed('Gone')
  const sample = {
    id: newId('benchSample'),
    action: 0,
    profile: 0,
    errorClass: 'timeout' as const,
    message: 'Late',
    at: new Date(),
    exchange: { request: {} },
  }
  await runs().addSamples(
    asAda(),
    { id: run.shardId, workspaceId: ada.workspaceId, projectId, benchResultId: run.id },
    [sample],
  )
  await at.stores.series.begin(asAda(), run.id, { secondsMax: 60, containers: [] })
  expect(await runs().listSampleIds(asAda(), run.id)).toEqual([
    { id: sample.id, action: 0, errorClass: 'timeout', at: sample.at },
  ])
  expect(await runs().findSample(asAda(), run.id, sample.id)).toEqual(sample)
  const other = await runNamed('Other')
  expect(await runs().findSample(asAda(), other.id, sample.id)).toBeUndefined()
  expect(await runs().remove(asAda(), run.id)).toBe(true)
  expect(await runs().find(asAda(), run.id)).toBeUndefined()
  expect(await runs().listShards(asAda(), run.id)).toEqual([])
  expect(await runs().listSampleIds(asAda(), run.id)).toEqual([])
  const question = { kind: 'requests', from: 0, to: 60, pointsMax: 1 } as const
  expect(await at.stores.series.query(asAda(), run.id, question)).toBeUndefined()
  expect(await runs().remove(asAda(), run.id)).toBe(false)
  const waiting = await runNamed('Waits', null, 'PENDING')
  expect(await runs().remove(asAda(), waiting.id)).toBe(false)
  expect(await runs().find(asAda(), waiting.id)).toBeDefined()
})

test('others find, name and remove nothing of it, and viewers only find it', async () => {
  const scenarioId = newId('scenario')
  const run = await runNamed('Ours', scenarioId)
  await runs().update(asAda(), run.id, { isBaseline: true })
  const ours = { name: { match: 'equals', text: 'Ours' } } as const
  expect(await names(ours, asBob())).toEqual([])
  expect(await runs().update(asBob(), run.id, { name: 'Mine' })).toBeUndefined()
  expect(await runs().remove(asBob(), run.id)).toBe(false)
  expect(await runs().findBaseline(asBob(), scenarioId)).toBeUndefined()
  expect(await names(ours, asViewer())).toEqual(['Ours'])
  expect(await runs().update(asViewer(), run.id, { name: 'Mine' })).toBeUndefined()
  await expect(runs().remove(asViewer(), run.id)).rejects.toThrow(NotPermitted)
  expect(await names(ours)).toEqual(['Ours'])
})
