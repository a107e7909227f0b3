import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@flamegate/contract'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { platform, signUp } from './person.ts'
import { programEnv } from './program-env.ts'

/** Agents that are started by demand, as an autoscaler does: a run asks for them before they are there. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const stop = new AbortController()
afterAll(() => stop.abort())

test('a run waits for the agents that it asked for, and these end with it', async () => {
  const target = createServer((_request, response) => response.end('ok'))
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  stop.signal.addEventListener('abort', () => target.close())
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = target.address() as AddressInfo
  const { client, workspaceId } = await signUp('Scaler')
  const { project } = await client.call(operations.createProject, {
    workspace_id: workspaceId,
    name: 'Scaled',
  })
  const { http_server: server } = await client.call(operations.createHttpServer, {
    project_id: project.id,
    name: 'shop',
    base_url: `http://127.0.0.1:${port}`,
  })
  const { virtual_user: user } = await client.call(operations.createVirtualUser, {
    project_id: project.id,
    name: 'Visitor',
    document: {
      actions: [
        {
          type: 'http_request',
          id: 'act_home',
          name: 'home',
          method: 'GET',
          server_id: server.id,
          path: '/',
        },
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 200 } },
      ],
    },
  })
  const { scenario } = await client.call(operations.createScenario, {
    project_id: project.id,
    name: 'Scaled',
    virtual_user_ids: [user.id],
    load: { type: 'ramp_up', users: 4, ramp_up_ms: 0, plateau_ms: 2000 },
  })
  const { token } = await client.call(operations.getAgentInstallCommand, { workspace_id: workspaceId })
  // As KEDA does: nothing is said of what is accepted, and every status but 200 is a fault.
  const demand = async () => {
    const request = get(`${platform().url}/v1/workspaces/${workspaceId}/agent-groups/default/demand`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const [answer] = z.tuple([z.instanceof(IncomingMessage)]).parse(await once(request, 'response'))
    expect(answer.statusCode).toBe(200)
    return operations.getAgentDemand.output.parse(await json(answer))
  }
  expect(await demand()).toMatchObject({ wanted: 0, waiting: 0, online: 0 })

  const { bench_result: asked } = await client.call(operations.runScenario, {
    scenario_id: scenario.id,
    agents: 2,
    wait_seconds: 120,
  })
  // What an autoscaler reads.
  const { wanted, waiting } = await demand()
  expect([wanted, waiting]).toEqual([2, 2])

  const started = Array.from({ length: waiting }, (_, index) =>
    spawn(
      process.execPath,
      [cli, 'agent', '--group', 'default', '--workspace', workspaceId, '--name', `job-${index}`, '--once'],
      {
        env: { ...programEnv, FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: token },
        stdio: 'ignore',
        signal: stop.signal,
      },
    ),
  )
  const exits = started.map(async (agent) => (await once(agent, 'exit'))[0])
  // Less the two that were started nothing is missing, whether these have their parts yet or not.
  const told: string[] = []
  for (let isOver = false; !isOver;) {
    const now = await demand()
    told.push(`${now.wanted} wanted, ${now.waiting} waiting`)
    isOver = now.wanted < 2
    await sleep(500)
  }
  expect(told).toContain('2 wanted, 0 waiting')
  expect(await Promise.all(exits)).toEqual([0, 0])
  const ended = async (): Promise<string> => {
    const { bench_result: run } = await client.call(operations.getBenchResult, { bench_result_id: asked.id })
    if (run.ended_at !== null) return run.state
    await sleep(500)
    return ended()
  }
  expect(await ended()).toBe('FINISHED')
  expect(await demand()).toMatchObject({ wanted: 0, waiting: 0 })
})
