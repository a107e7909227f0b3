import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations, type OutputOf } from '@flamegate/contract'
import { vi } from 'vitest'
import type { Person } from './person.ts'
import { programEnv } from './program-env.ts'

type Result = OutputOf<typeof operations.getBenchResult>

/** A project with a virtual user, an agent of its own, and a server that takes 40 ms for whatever is slow. */
export interface LoadedProject {
  id: string
  /** `GET /quick`, and in the container `checkout` (`act_checkout`) `GET /slow`. */
  virtualUserId: string
  createScenario(name: string, rest?: { users?: number; thresholds?: string[] }): Promise<string>
  /** Runs it to its end. */
  run(scenarioId: string): Promise<Result>
  stop(): Promise<void>
}

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')

export async function startLoadedProject(url: string, owner: Person, name: string): Promise<LoadedProject> {
  const target = createServer((request, response) => {
    setTimeout(() => response.writeHead(200).end('{}'), request.url === '/slow' ? 40 : 0)
  }).listen(0, '127.0.0.1')
  await once(target, 'listening')
  const address = target.address()
  const port = typeof address === 'object' ? address?.port : ''
  const { client } = owner
  const { project } = await client.call(operations.createProject, { workspace_id: owner.workspaceId, name })
  const { http_server: server } = await client.call(operations.createHttpServer, {
    project_id: project.id,
    name: 'shop',
    base_url: `http://127.0.0.1:${port}`,
  })
  const get = (id: string, path: string) => ({
    type: 'http_request',
    id,
    name: `GET ${path}`,
    method: 'GET',
    server_id: server.id,
    path,
  })
  const { virtual_user: user } = await client.call(operations.createVirtualUser, {
    project_id: project.id,
    name: 'Buyer',
    document: {
      actions: [
        get('act_quick', '/quick'),
        { type: 'container', id: 'act_checkout', name: 'checkout', actions: [get('act_slow', '/slow')] },
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 100 } },
      ],
    },
  })
  const agent = await startAgent(url, owner)

  async function run(scenarioId: string): Promise<Result> {
    const { bench_result: started } = await client.call(operations.runScenario, {
      scenario_id: scenarioId,
      wait_seconds: 600,
    })
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const now = await client.call(operations.getBenchResult, { bench_result_id: started.id })
      if (now.next_poll_seconds === null) return now
      // oxlint-disable-next-line no-await-in-loop -- see above
      await sleep(500)
    }
  }

  return {
    id: project.id,
    virtualUserId: user.id,
    async createScenario(scenarioName, { users = 4, thresholds = [] } = {}) {
      const { scenario } = await client.call(operations.createScenario, {
        project_id: project.id,
        name: scenarioName,
        virtual_user_ids: [user.id],
        load: { type: 'ramp_up', users, ramp_up_ms: 500, plateau_ms: 4500 },
        thresholds,
      })
      return scenario.id
    },
    run,
    async stop() {
      agent.kill('SIGKILL')
      await once(agent, 'exit')
      target.close().closeAllConnections()
    },
  }
}

export async function startAgent(url: string, { client, workspaceId }: Person): Promise<ChildProcess> {
  const { token } = await client.call(operations.getAgentInstallCommand, { workspace_id: workspaceId })
  const agent = spawn(
    process.execPath,
    [cli, 'agent', '--group', 'default', '--workspace', workspaceId, '--threads', '1'],
    {
      env: { ...programEnv, FLAMEGATE_URL: url, FLAMEGATE_TOKEN: token },
      stdio: 'ignore',
    },
  )
  const isOnline = async () => {
    const listed = await client.call(operations.listLoadGenerators, { workspace_id: workspaceId })
    return listed.load_generators.some((each) => each.is_online)
  }
  await vi.waitUntil(isOnline, { timeout: 240_000, interval: 200 })
  return agent
}
