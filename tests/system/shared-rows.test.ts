import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/** Two agents with two threads each, which go through one file together. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const rows = Array.from({ length: 200 }, (_, index) => `user${index}`)

let owner: Person
let target: Server
const agents: ChildProcess[] = []
/** What the server was asked for, in order. */
const asked: string[] = []

beforeAll(async () => {
  target = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('ok')
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  owner = await signUp('Dealer')
  const { token } = await owner.client.call(operations.getAgentInstallCommand, {
    workspace_id: owner.workspaceId,
  })
  for (const name of ['one', 'two'])
    agents.push(
      spawn(
        process.execPath,
        [
          cli,
          'agent',
          '--group',
          'default',
          '--workspace',
          owner.workspaceId,
          '--name',
          name,
          '--threads',
          '2',
        ],
        {
          env: { PATH: process.env['PATH'], FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: token },
          stdio: 'ignore',
        },
      ),
    )
}, 60_000)
afterAll(async () => {
  await Promise.all(
    agents.map(async (agent) => {
      if (agent.exitCode !== null || agent.signalCode !== null) return
      const exit = once(agent, 'exit')
      agent.kill('SIGKILL')
      await exit
    }),
  )
  target?.close()
})

test('no row is given twice and all are used, by whichever agent and thread, and counters go on in one another’s steps', async () => {
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Dealt',
  })
  const file = await owner.client.call(operations.uploadProjectFile, {
    project_id: project.id,
    path: 'users.csv',
    content: `login\n${rows.join('\n')}\n`,
  })
  await waitForTask(owner, file.task_id)
  const variables = [
    { type: 'csv', name: 'users', path: 'users.csv', order: 'unique' },
    { type: 'counter', name: 'turn' },
  ] as const
  for (const variable of variables)
    // oxlint-disable-next-line no-await-in-loop -- two
    await owner.client.call(operations.createVariable, { project_id: project.id, ...variable })
  const address = target.address()
  const { http_server: server } = await owner.client.call(operations.createHttpServer, {
    project_id: project.id,
    name: 'shop',
    base_url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
  })
  const { virtual_user: user } = await owner.client.call(operations.createVirtualUser, {
    project_id: project.id,
    name: 'Buyer',
    document: {
      actions: [
        {
          type: 'http_request',
          id: 'act_1',
          method: 'GET',
          server_id: server.id,
          path: '/${login}/${turn}',
        },
      ],
    },
  })
  // Each profile goes through the same file.
  const profile = (id: string) => ({
    id,
    name: id,
    virtual_user_id: user.id,
    load: { type: 'ramp_up', users: 8, plateau_ms: 15_000 },
    agent_group: 'default',
  })
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: project.id,
    name: 'Dealt',
    document: { profiles: [profile('p1'), profile('p2')] },
  })
  const { bench_result: run } = await owner.client.call(operations.runScenario, {
    scenario_id: scenario.id,
    agents: 2,
    wait_seconds: 120,
  })
  const result = () => owner.client.call(operations.getBenchResult, { bench_result_id: run.id })
  // Nobody goes on without a row.
  let done = await result()
  while (done.next_poll_seconds !== null) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    await sleep(500)
    // oxlint-disable-next-line no-await-in-loop -- see above
    done = await result()
  }
  expect(done.shards.map(({ state }) => state)).toEqual(['DONE', 'DONE'])
  expect(done.numbers?.count).toBe(rows.length)
  const [, logins, turns] = [0, 1, 2].map((part) => asked.map((path) => path.split('/')[part] ?? ''))
  expect(logins?.toSorted()).toEqual(rows.toSorted())
  expect(new Set(turns).size).toBe(rows.length)
  // Each agent has every other one.
  expect(turns?.filter((turn) => Number(turn) % 2 === 1)).toHaveLength(rows.length / 2)
}, 300_000)
