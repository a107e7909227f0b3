import { operations } from '@flamegate/contract'
import type { CallerLimit, Operation, Principal } from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import type { ApiAnswer } from './api-caller.ts'
import { patientApiCaller } from './patient-api-caller.ts'

const principal: Principal = {
  userId: 'usr_ada',
  via: 'api_token',
  clientId: 'tok_1',
  clientName: 'CI',
  scopes: ['read'],
}

function opened(first: ApiAnswer) {
  let answer = first
  const clock = { nowMs: 1_800_000_000_000 }
  const asked: string[] = []
  const caller = patientApiCaller(
    {
      async call(operation, _input, { principal: { userId, clientId } }) {
        asked.push(`${userId} ${clientId} ${operation.id}`)
        return answer
      },
      close: async () => undefined,
    },
    () => clock.nowMs,
  )
  const call = (operation: Operation, change: Partial<Principal> = {}) =>
    caller.call(
      operation,
      {},
      { principal: { ...principal, ...change }, requestId: 'req_1', ip: '192.0.2.7' },
    )
  const answerWith = (next: ApiAnswer) => {
    answer = next
  }
  return { clock, asked, answerWith, caller, call }
}

describe('who calls too much is told the same for a second', () => {
  const others: [operation: Operation, change: Partial<Principal>][] = [
    [operations.listRuns, {}],
    [operations.getRun, {}],
    [operations.listRuns, { clientId: 'tok_2' }],
    [operations.listRuns, { userId: 'usr_bob' }],
    // It is nearly free, and was not refused.
    [operations.getUsage, {}],
  ]
  test.each<[limit: CallerLimit, asked: string[]]>([
    ['user', ['usr_bob tok_1 list_runs', 'usr_ada tok_1 get_usage']],
    ['client', ['usr_ada tok_2 list_runs', 'usr_bob tok_1 list_runs', 'usr_ada tok_1 get_usage']],
    ['tool', ['usr_ada tok_1 get_run', 'usr_bob tok_1 list_runs', 'usr_ada tok_1 get_usage']],
  ])('by the limit of the %s, of what counts against it', async (limit, rest) => {
    const answer = { status: 429, body: '{"isError":true}', callerLimit: limit }
    const { clock, asked, answerWith, caller, call } = opened(answer)
    expect(await call(operations.listRuns)).toEqual(answer)
    answerWith({ status: 200, body: '{}' })
    asked.length = 0
    clock.nowMs += 999
    for (const [operation, change] of others) {
      const said = caller.refusalOf(operation, { ...principal, ...change })
      const count = asked.length
      const { status } = await call(operation, change)
      expect([said, status]).toEqual(asked.length > count ? [undefined, 200] : [answer, 429])
    }
    expect(asked).toEqual(rest)
    clock.nowMs += 1
    expect((await call(operations.listRuns)).status).toBe(200)
  })
})

test('what is about a workspace, or about how many run at once, is asked each time', async () => {
  const { asked, call } = opened({ status: 429, body: '{"isError":true}', callerLimit: undefined })
  await call(operations.listRuns)
  await call(operations.listRuns)
  expect(asked).toHaveLength(2)
})
