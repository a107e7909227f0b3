import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'
import { programEnv } from './program-env.ts'

/** Agents with two threads each, of two groups, which go through one file together. */

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
  for (const [name, group] of [
    ['one', 'default'],
    ['two', 'default'],
    ['three', 'south'],
  ] as const)
    agents.push(
      spawn(
        process.execPath,
        [cli, 'agent', '--group', group, '--workspace', owner.workspaceId, '--name', name, '--threads', '2'],
        {
          env: { ...programEnv, FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: token },
          stdio: 'ignore',
        },
      ),
    )
})
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

/** Runs profiles of these groups, which all go through the same file, until there are no more rows, which is long before their time. */
async function run(name: string, groups: readonly string[], agentsOfEach: number) {
  asked.length = 0
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name,
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
  const profile = (group: string, place: number) => ({
    id: `p${place}`,
    name: `p${place}`,
    virtual_user_id: user.id,
    load: { type: 'ramp_up', users: 8, plateau_ms: 1_200_000 },
    agent_group: group,
  })
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: project.id,
    name,
    document: { profiles: groups.map(profile) },
  })
  const { bench_result: begun } = await owner.client.call(operations.runScenario, {
    scenario_id: scenario.id,
    agents: agentsOfEach,
    wait_seconds: 120,
  })
  const result = () => owner.client.call(operations.getBenchResult, { bench_result_id: begun.id })
  let done = await result()
  while (done.next_poll_seconds !== null) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    await sleep(500)
    // oxlint-disable-next-line no-await-in-loop -- see above
    done = await result()
  }
  expect(done.shards.every(({ state }) => state === 'DONE')).toBe(true)
  expect(done.numbers?.count).toBe(rows.length)
  const [, logins = [], turns = []] = [0, 1, 2].map((part) =>
    asked.map((path) => path.split('/')[part] ?? ''),
  )
  return { done, logins, turns }
}

test('no row is given twice and all are used, by whichever agent and thread, and counters go on in one another’s steps', async () => {
  const { done, logins, turns } = await run('One group', ['default', 'default'], 2)
  expect(done.shards).toHaveLength(2)
  expect(logins.toSorted()).toEqual(rows.toSorted())
  expect(new Set(turns).size).toBe(rows.length)
  // Each agent has every other one.
  expect(turns.filter((turn) => Number(turn) % 2 === 1)).toHaveLength(rows.length / 2)
})

test('nor is one given twice by agents of two groups, and the run says why it ends before its time', async () => {
  const { done, logins, turns } = await run('Two groups', ['default', 'south'], 1)
  expect(done.shards.map((shard) => shard.agent_group).toSorted()).toEqual(['default', 'south'])
  expect(logins.toSorted()).toEqual(rows.toSorted())
  expect(new Set(turns).size).toBe(rows.length)
  expect(done.bench_result).toMatchObject({
    state: 'FINISHED',
    is_degraded: false,
    message: 'All users ran out of rows of users.',
  })
  const bench_report_id = done.bench_result.bench_report_id ?? ''
  const { values } = await owner.client.call(operations.getReportItemValues, {
    bench_report_id,
    item_id: 'generators',
  })
  expect(JSON.stringify(values)).toContain('FINISHED: All users ran out of rows of users.')
})
