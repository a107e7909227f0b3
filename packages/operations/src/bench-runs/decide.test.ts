import { expect, test } from 'vitest'
import type { BenchChange, BenchResult, BenchShard, ShardState } from '../ports/index.ts'
import { decide } from './decide.ts'
import { benchRun, secondsAfterStart } from './testing/measured-runs.ts'

const after = secondsAfterStart
const createdAt = after(0)

const runIn = (state: BenchResult['state'], rest: Partial<BenchResult> = {}): BenchResult =>
  benchRun({ scenarioId: 'scn_1', scenarioVersion: 1, state, durationMs: 60_000, usersMax: 10, ...rest })

const shardsIn = (
  states: readonly ShardState[],
  seenAt: Date,
  rest: (slot: number) => Partial<BenchShard> = () => ({}),
): BenchShard[] =>
  states.map((state, slot) => ({
    id: `shd_${slot}`,
    workspaceId: 'ws_1',
    projectId: 'prj_1',
    benchResultId: 'bnr_1',
    slot,
    agentGroup: 'default',
    state,
    loadGeneratorId: `gen_${slot}`,
    shareIndex: slot,
    shareCount: states.length,
    firstShareIndex: null,
    firstShareCount: null,
    engines: [],
    message: '',
    createdAt,
    lastSeenAt: state === 'WAITING' ? null : seenAt,
    endedAt: null,
    ...rest(slot),
  }))

const shares = ({ shards }: BenchChange) =>
  Object.fromEntries(shards.map(({ id, shareIndex, shareCount }) => [id, [shareIndex, shareCount]]))
const words = ({ events }: BenchChange) => events.map((event) => event.words).join('\n')

test('what a script of another engine did on an agent that was lost is taken over by nobody, which is told', () => {
  const shards = shardsIn(['RUNNING', 'RUNNING', 'RUNNING', 'RUNNING'], after(20), (slot) => ({
    engines: ['k6'],
    firstShareIndex: slot,
    firstShareCount: 4,
    ...(slot === 0 ? { lastSeenAt: after(5) } : {}),
  }))
  const change = decide(runIn('RUNNING', { startedAt: after(0) }), shards, 'redistribute', after(21))
  expect(change.run.isDegraded).toBe(true)
  expect(words(change)).toContain('What it ran of k6 is not taken over by the others.')
  const less = 'The load of k6 of default is less than was asked for from here on'
  expect(words(change)).toContain(`${less}: 1 of 4 parts are gone (25 %).`)
  const after1 = shards.map((shard) => ({ ...shard, ...change.shards.find(({ id }) => id === shard.id) }))
  const silent = after1.map((shard) => (shard.slot === 1 ? { ...shard, lastSeenAt: after(9) } : shard))
  const again = decide({ ...running, ...change.run }, silent, 'redistribute', after(25), after(14))
  expect(words(again)).toContain(`${less}: 2 of 4 parts are gone (50 %).`)
})

test('who waits for an engine is told how an agent with it is started', () => {
  const shards = shardsIn(['WAITING'], after(0), () => ({ engines: ['k6'] }))
  const { run } = decide(runIn('PENDING'), shards, 'redistribute', after(61))
  expect(run.message).toContain('flamegate agent --group default --allow-engine k6')
})

test('nothing changes while agents are waited for', () => {
  expect(decide(runIn('PENDING'), shardsIn(['WAITING'], after(0)), 'redistribute', after(5))).toEqual({
    run: {},
    shards: [],
    events: [],
  })
})

test('a run gets ready when the first agent does, and begins for all of them at once when the last one is', () => {
  const preparing = decide(
    runIn('PENDING'),
    shardsIn(['READY', 'PREPARING'], after(4)),
    'redistribute',
    after(5),
  )
  expect(preparing.run).toEqual({ state: 'PREPARING', message: 'Agents get ready.' })
  const begun = decide(runIn('PREPARING'), shardsIn(['READY', 'READY'], after(5)), 'redistribute', after(6))
  expect(begun.run).toMatchObject({ state: 'RUNNING', startedAt: after(9) })
})

test('an agent that is gone before the start leaves its place to another one', () => {
  const change = decide(
    runIn('PREPARING'),
    shardsIn(['READY', 'PREPARING'], after(10), (slot) => (slot === 1 ? { lastSeenAt: after(5) } : {})),
    'redistribute',
    after(16),
  )
  expect(change.shards).toMatchObject([{ id: 'shd_1', state: 'WAITING' }])
  expect(change.run).toEqual({})
})

test('without any agent a run ends after a minute, and says how to start one', () => {
  const change = decide(runIn('PENDING'), shardsIn(['WAITING'], after(0)), 'redistribute', after(60))
  expect(change.run).toMatchObject({ state: 'ERROR', endedAt: after(60) })
  expect(change.run.message).toContain('flamegate agent --group default')
  expect(change.shards).toMatchObject([{ state: 'LOST' }])
})

test.each([
  ['redistribute', { state: 'RUNNING', sharesVersion: 1 }, { shd_0: [0, 1], shd_1: [null, null] }],
  ['degrade', { state: 'RUNNING', isDegraded: true }, { shd_1: [null, null] }],
] as const)('agents that are not ready within a minute are done without: %s', (policy, run, parts) => {
  const change = decide(runIn('PREPARING'), shardsIn(['READY', 'WAITING'], after(59)), policy, after(60))
  expect(change.run).toMatchObject(run)
  expect(shares(change)).toMatchObject(parts)
})

test('values are dealt out to the agents that begin, whatever becomes of the load of the others', () => {
  const states: ShardState[] = ['READY', 'WAITING', 'READY', 'READY']
  const shards = shardsIn(states, after(59), (slot) => (slot === 3 ? { agentGroup: 'elsewhere' } : {}))
  for (const policy of ['redistribute', 'degrade'] as const) {
    const begun = decide(runIn('PREPARING'), shards, policy, after(60)).shards
    expect(begun.map(({ id, firstShareIndex: index, firstShareCount: count }) => [id, index, count])).toEqual(
      [
        ['shd_0', 0, 2],
        ['shd_1', null, null],
        ['shd_2', 1, 2],
        ['shd_3', 0, 1],
      ],
    )
  }
})

test('the values of an agent that is lost stay unused, which is told', () => {
  const shards = oneSilent(['RUNNING', 'RUNNING'], 1).map((shard) => ({
    ...shard,
    firstShareIndex: shard.slot,
    firstShareCount: 2,
  }))
  const change = decide(running, shards, 'redistribute', after(20), undefined, true)
  expect(change.shards.find(({ id }) => id === 'shd_0')).toMatchObject({
    shareCount: 1,
    firstShareIndex: 0,
    firstShareCount: 2,
  })
  expect(words(change)).toContain('of its part of files, counters and lists stays unused.')
  expect(words(decide(running, shards, 'redistribute', after(20)))).not.toContain('unused')
})

test('a scenario that wants all of its agents does not begin without one', () => {
  const change = decide(runIn('PREPARING'), shardsIn(['READY', 'WAITING'], after(59)), 'stop', after(60))
  expect(change.run).toMatchObject({ state: 'ERROR' })
  expect(change.run.startedAt).toBeUndefined()
})

const running = runIn('RUNNING', { startedAt: after(5) })
const oneSilent = (states: ShardState[], lostSlot: number) =>
  shardsIn(states, after(20), (slot) => (slot === lostSlot ? { lastSeenAt: after(9) } : {}))

test('who says nothing for ten seconds is lost, and its users go to the others of its group', () => {
  const shards = oneSilent(['RUNNING', 'RUNNING', 'RUNNING'], 1)
  expect(decide(running, shards, 'redistribute', after(19)).shards).toEqual([])
  const change = decide(running, shards, 'redistribute', after(20))
  expect(change.run).toEqual({ sharesVersion: 1 })
  expect(change.shards.map(({ id, state }) => [id, state])).toContainEqual(['shd_1', 'LOST'])
  expect(shares(change)).toEqual({ shd_0: [0, 2], shd_1: [null, null], shd_2: [1, 2] })
  expect(words(change)).toContain('slot 1')
})

test('nobody is lost who could not be heard', () => {
  const shards = oneSilent(['RUNNING', 'RUNNING'], 1)
  expect(decide(running, shards, 'redistribute', after(20), after(12)).shards).toEqual([])
  expect(decide(running, shards, 'redistribute', after(23), after(12)).shards.map(({ id }) => id)).toContain(
    'shd_1',
  )
})

test('a loss is told once', () => {
  const before = oneSilent(['RUNNING', 'RUNNING'], 1)
  const change = decide(running, before, 'redistribute', after(20))
  const afterwards = before.map((shard) => ({ ...shard, ...change.shards.find(({ id }) => id === shard.id) }))
  expect(decide({ ...running, ...change.run }, afterwards, 'redistribute', after(21))).toEqual({
    run: {},
    shards: [],
    events: [],
  })
})

test('an agent that fails gives up its users as well', () => {
  const change = decide(running, shardsIn(['RUNNING', 'FAILED'], after(20)), 'redistribute', after(20))
  expect(shares(change)).toEqual({ shd_0: [0, 1], shd_1: [null, null] })
})

test('with nobody left in its group, or where the scenario says so, the run is degraded', () => {
  const alone = decide(running, oneSilent(['RUNNING'], 0), 'redistribute', after(20))
  expect(alone.run).toEqual({ isDegraded: true })
  const degraded = decide(running, oneSilent(['RUNNING', 'RUNNING'], 1), 'degrade', after(20))
  expect(degraded.run).toEqual({ isDegraded: true })
  expect(shares(degraded)).toEqual({ shd_1: [null, null] })
})

test('or it stops', () => {
  const change = decide(running, oneSilent(['RUNNING', 'RUNNING'], 1), 'stop', after(20))
  expect(change.run).toMatchObject({ state: 'STOPPING', stopAskedAt: after(20) })
})

test('who was asked to stop and does not say that it did is lost in the end', () => {
  const stopping = runIn('STOPPING', { startedAt: after(5), stopAskedAt: after(10) })
  const shards = shardsIn(['DONE', 'RUNNING'], after(29))
  expect(decide(stopping, shards, 'redistribute', after(29)).shards).toEqual([])
  expect(decide(stopping, shards, 'redistribute', after(30)).shards).toMatchObject([
    { id: 'shd_1', state: 'LOST' },
  ])
})

test('a run that does not end by itself is ended', () => {
  const shards = shardsIn(['RUNNING'], after(186))
  expect(decide(running, shards, 'redistribute', after(184)).run).toEqual({})
  expect(decide(running, shards, 'redistribute', after(186)).run).toMatchObject({ state: 'STOPPING' })
})

test('what is stopped before it begins has ended', () => {
  const asked = runIn('PREPARING', { stopAskedAt: after(2) })
  const change = decide(asked, shardsIn(['READY', 'WAITING'], after(2)), 'redistribute', after(3))
  expect(change.run).toMatchObject({ state: 'ABORTED', endedAt: after(3) })
  expect(change.shards.map(({ state }) => state)).toEqual(['LOST', 'LOST'])
})
