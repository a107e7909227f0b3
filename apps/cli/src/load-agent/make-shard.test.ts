import { ApiProblem, type Client } from '@flamegate/client'
import { getShardPlan } from '@flamegate/contract/bench-runs/get-shard-plan'
import { expect, test } from 'vitest'
import { makeShard } from './make-shard.ts'

test('an agent that cannot tell that a part of a run failed goes on to the next one', async () => {
  const states: string[] = []
  const call = async (operation: unknown, input: { state: string }) => {
    // A scenario that nobody can make.
    if (operation === getShardPlan)
      return { actions: [], files: [], bench_result_id: 'bnr_1', slot: 0, scenario: {} }
    states.push(input.state)
    if (input.state === 'FAILED')
      throw new ApiProblem({ status: 400, code: 'invalid_input', title: 'Invalid', detail: '' })
    return {
      order: 'wait',
      now: new Date().toISOString(),
      accepted: [],
      share_index: null,
      share_count: null,
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of which two calls are made
  const client = { call } as unknown as Client
  const said: string[] = []
  await makeShard(
    {
      client,
      patient: client,
      workspaceId: 'wsp_1',
      name: 'agent',
      agentGroup: 'default',
      version: '1',
      threads: 1,
      browserUsersMax: 0,
      engines: [],
      isOnce: true,
      interruption: new AbortController().signal,
      log: (text) => said.push(text),
    },
    { shardId: 'shd_1', loadGeneratorId: 'gen_1' },
  )
  expect(states).toEqual(['PREPARING', 'FAILED'])
  expect(said.at(-1)).toContain('could not tell it')
})
