import { operations, type Principal } from '@flamegate/contract'
import { createMetricsRegistry } from '@flamegate/runtime'
import { expect, test } from 'vitest'
import { measuredApiCaller } from './measured-api-caller.ts'
import { patientApiCaller } from './patient-api-caller.ts'

test('what is refused again without a call is counted as calls are, and what would be asked is not', async () => {
  const registry = createMetricsRegistry()
  const refusal = { status: 429, body: '{"isError":true}', callerLimit: 'tool' as const }
  const caller = measuredApiCaller(
    patientApiCaller({ call: async () => refusal, close: async () => undefined }),
    registry,
  )
  const principal: Principal = {
    userId: 'usr_ada',
    via: 'api_token',
    clientId: 'tok_1',
    clientName: 'CI',
    scopes: ['read'],
  }
  const counted = async () => {
    const lines = (await registry.metrics()).split('\n')
    return lines.filter((line) => line.includes('_count{') && line.includes('operation="list_runs"'))
  }
  const { listRuns, getRun } = operations
  expect(caller.refusalOf(listRuns, principal)).toBeUndefined()
  expect(await counted()).toEqual([])
  await caller.call(listRuns, {}, { principal, requestId: 'req_1', ip: '192.0.2.7' })
  expect(caller.refusalOf(listRuns, principal)).toEqual(refusal)
  expect(caller.refusalOf(getRun, principal)).toBeUndefined()
  expect(await counted()).toEqual([expect.stringMatching(/ 2$/)])
})
