import { operations, type Operation, type Principal } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { callerBuckets, clientSlots, workspaceSlots } from './call-limits.ts'

const ada: Principal = {
  userId: 'usr_ada',
  via: 'session',
  clientId: 'web',
  clientName: 'Flamegate web',
  scopes: ['read'],
}

test('a call counts against the person, their client and the tool', () => {
  expect(callerBuckets(ada, operations.listRuns, 1).map(({ key }) => key)).toEqual([
    'user:usr_ada',
    'client:usr_ada:web',
    'tool:usr_ada:list_runs',
  ])
})

test('who pushes live metrics uses up nothing of the person and the workspace', () => {
  expect(callerBuckets(ada, operations.pushLive, 1).map(({ key }) => key)).toEqual([
    'live-pushes:usr_ada:web',
  ])
})

test('who follows a public link uses up nothing of the person whose link it is', () => {
  const stranger: Principal = { ...ada, via: 'share_link', clientId: 'shl_01' }
  expect(callerBuckets(stranger, operations.getProfile, 1).map(({ key }) => key)).toEqual([
    'client:usr_ada:shl_01',
  ])
})

const agent: Principal = { ...ada, via: 'api_token', clientId: 'tok_1', scopes: ['agent'] }

test('agents use up nothing of the person and the workspace, with however many tokens they come', () => {
  const buckets = ['tok_1', 'tok_2'].flatMap((clientId) =>
    callerBuckets({ ...agent, clientId }, operations.reportShard, 1),
  )
  expect(buckets.map(({ key }) => key)).toEqual(['agents:usr_ada', 'agents:usr_ada'])
  // Two hundred agents that report twice a second, which costs 2, and a quarter of that for what else they do.
  expect(buckets[0]?.perSecond).toBe((200 * 2 * 2 * 5) / 4)
})

test('who calls what only agents may is counted as anybody', () => {
  expect(callerBuckets(ada, operations.reportShard, 1).map(({ name }) => name)).toEqual([
    'user',
    'client',
    'tool',
  ])
})

const slotsOf = (operation: Operation) =>
  [...clientSlots(agent, operation, 1), ...workspaceSlots('ws_1', operation, 1)].map(({ key, most }) => [
    key,
    most,
  ])

test('what waits for work keeps no slot from what is done, and is bounded all the same', () => {
  const waiting = [
    ['client-waiting:usr_ada:tok_1', 200],
    ['workspace-waiting:ws_1', 300],
  ]
  for (const operation of [operations.awaitShard, operations.awaitCapture, operations.awaitMonitoring])
    expect(slotsOf(operation)).toEqual(waiting)
  const doing = [
    ['client-concurrency:usr_ada:tok_1', 50],
    ['workspace-concurrency:ws_1', 200],
  ]
  for (const operation of [operations.listRuns, operations.getBenchResult, operations.runScenario])
    expect(slotsOf(operation)).toEqual(doing)
})

test('what agents report is bounded by the workspace, not by their token', () => {
  expect(slotsOf(operations.reportShard)).toEqual([['workspace-concurrency:ws_1', 200]])
})
