import { operations } from '@flamegate/contract'
import type { Operation, Principal } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { ApiAnswer } from './api-caller.ts'
import { patientApiCaller } from './patient-api-caller.ts'

const principal: Principal = {
  userId: 'usr_ada',
  via: 'api_token',
  clientId: 'tok_1',
  clientName: 'CI',
  scopes: ['read'],
}

function opened(answer: ApiAnswer) {
  const clock = { nowMs: 1_800_000_000_000 }
  const asked: string[] = []
  const caller = patientApiCaller(
    {
      async call(operation, _input, { principal: { clientId } }) {
        asked.push(`${clientId} ${operation.id}`)
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
  return { clock, asked, call }
}

test('who calls too much is told the same for a second, and nobody else is', async () => {
  const answer = { status: 429, body: '{"isError":true}', isOfCaller: true }
  const { clock, asked, call } = opened(answer)
  expect(await call(operations.listRuns)).toEqual(answer)
  clock.nowMs += 999
  expect(await call(operations.listRuns)).toEqual(answer)
  expect(asked).toEqual(['tok_1 list_runs'])
  await call(operations.getUsage)
  await call(operations.listRuns, { clientId: 'tok_2' })
  expect(asked).toEqual(['tok_1 list_runs', 'tok_1 get_usage', 'tok_2 list_runs'])
  clock.nowMs += 1
  await call(operations.listRuns)
  expect(asked.slice(3)).toEqual(['tok_1 list_runs'])
})

test('what is about a workspace, or about how many run at once, is asked each time', async () => {
  const { asked, call } = opened({ status: 429, body: '{"isError":true}', isOfCaller: false })
  await call(operations.listRuns)
  await call(operations.listRuns)
  expect(asked).toHaveLength(2)
})
