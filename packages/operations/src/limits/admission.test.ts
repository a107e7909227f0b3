import { operations, type Operation, type Principal } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { Claim } from '../ports/index.ts'
import { admission } from './admission.ts'
import { plansWith } from './testing/plans-with.ts'

const agent: Principal = {
  userId: 'usr_1',
  via: 'api_token',
  clientId: 'tok_1',
  clientName: 'Agents',
  scopes: ['agent'],
}

/** What a call of an agent about a workspace is counted against. */
function countedFor(operation: Operation): string[][] {
  const claims: Claim[] = []
  const limiter = {
    take: (claim: Claim) => {
      claims.push(claim)
      return { refusedBy: undefined, retryAfterMs: 0, limits: [] }
    },
    release: () => undefined,
  }
  const { enter, enterWorkspace } = admission(
    { limits: { limiter, factor: 1 }, plans: plansWith() },
    operation,
    agent,
    undefined,
  )
  void enter()
  void enterWorkspace('ws_1')
  return claims.map(({ buckets, slots }) => [...buckets, ...slots].map(({ key }) => key))
}

test('what agents do uses up nothing of the calls of their workspace, and idle ones keep no slot from busy ones', () => {
  expect(countedFor(operations.reportShard)).toEqual([['agents:usr_1'], ['workspace-concurrency:ws_1']])
  expect(countedFor(operations.awaitShard)).toEqual([
    ['agents:usr_1', 'client-waiting:usr_1:tok_1'],
    ['workspace-waiting:ws_1'],
  ])
})
