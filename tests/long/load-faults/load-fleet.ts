import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { operations, type OutputOf } from '@flamegate/contract'
import { signUpAs, type Person } from '../../system/person.ts'
import { startFleet, type Fleet } from '../fleet/fleet.ts'

const cli = join(import.meta.dirname, '../../../apps/cli/src/main.ts')
/** Every tenth order fails. */
const failingOrder = 10

type Result = OutputOf<typeof operations.getBenchResult>

/** A fleet with a workspace, agents, and a shop that they make load on and that counts for itself. */
export interface LoadFleet {
  fleet: Fleet
  owner: Person
  /** What the shop answered since it was asked the last time. */
  takeAnswered(): { all: number; failed: number }
  /** Those that were started, and are alive, oldest first. */
  readonly agents: readonly ChildProcess[]
  startAgent(name: string): Promise<void>
  /** Six users who order all the time. Gives the id of the run when it has answers. */
  run(plateauMs: number): Promise<string>
  result(id: string): Promise<Result>
  /** Waits for its end; throws when that does not come. */
  ended(id: string, withinMs: number): Promise<Result>
  stop(): Promise<void>
}

export async function startLoadFleet(settings: Record<string, string> = {}): Promise<LoadFleet> {
  const fleet = await startFleet({
    gateways: 1,
    settings: { FLAMEGATE_TARGETS_ALLOWED: '127.0.0.1', ...settings },
  })
  const shop = await startShop()
  const agents: ChildProcess[] = []
  const owner = await signUpAs(fleet.url, 'Faults', `faults-${Date.now()}@example.com`)
  const { client, workspaceId } = owner
  const scenarioId = await createScenario(owner, shop.url)
  const { token } = await client.call(operations.getAgentInstallCommand, { workspace_id: workspaceId })
  const result = (id: string) => client.call(operations.getBenchResult, { bench_result_id: id })

  return {
    fleet,
    owner,
    takeAnswered: () => shop.take(),
    get agents() {
      return agents.filter((agent) => agent.exitCode === null && agent.signalCode === null)
    },
    async startAgent(name) {
      const agent = spawn(
        process.execPath,
        [cli, 'agent', '--group', 'default', '--workspace', workspaceId, '--name', name],
        {
          env: { PATH: process.env['PATH'], FLAMEGATE_URL: fleet.url, FLAMEGATE_TOKEN: token },
          stdio: 'ignore',
        },
      )
      agents.push(agent)
      await waitFor(`agent ${name}`, 60_000, async () => {
        const listed = await client.call(operations.listLoadGenerators, { workspace_id: workspaceId })
        return listed.load_generators.some((each) => each.name === name && each.is_online) ? true : undefined
      })
    },
    async run(plateauMs) {
      await client.call(operations.patchScenario, {
        scenario_id: scenarioId,
        patch: [{ op: 'replace', path: '/profiles/0/load/plateau_ms', value: plateauMs }],
      })
      const { bench_result: run } = await client.call(operations.runScenario, { scenario_id: scenarioId })
      // An agent that was killed is waited for for a minute.
      await waitFor('the first answers', 150_000, async () => {
        const { numbers, bench_result: now } = await result(run.id)
        if (now.ended_at !== null) throw new Error(`The run ended: ${now.message}`)
        return (numbers?.count ?? 0) > 50 ? true : undefined
      })
      return run.id
    },
    result,
    ended: (id, withinMs) =>
      waitFor('the end', withinMs, async () => {
        const now = await result(id)
        return now.next_poll_seconds === null ? now : undefined
      }),
    async stop() {
      await Promise.all(agents.map((agent) => kill(agent)))
      shop.stop()
      await fleet.stop()
    },
  }
}

/** Also while the platform is away. */
export async function waitFor<T>(
  what: string,
  withinMs: number,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + withinMs
  let reason: unknown
  while (Date.now() < deadline) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const found = await look()
      if (found !== undefined) return found
    } catch (error) {
      reason = error
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    await pause(300)
  }
  throw new Error(`${what} did not come within ${withinMs / 1000} s`, { cause: reason })
}

/** At once, whatever it is doing. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** A server that takes orders, and counts what it answered. */
export async function startShop() {
  let answered = { all: 0, failed: 0 }
  const server = createServer((_request, response) => {
    setTimeout(() => {
      const isFailing = ++answered.all % failingOrder === 0
      if (isFailing) answered.failed += 1
      response.writeHead(isFailing ? 503 : 200, { 'content-type': 'application/json' })
      response.end('{}')
    }, 5)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The shop listens on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    take() {
      const taken = answered
      answered = { all: 0, failed: 0 }
      return taken
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Gives the id of a scenario of six users who order from the shop. */
export async function createScenario({ client, workspaceId }: Person, url: string): Promise<string> {
  const { project } = await client.call(operations.createProject, {
    workspace_id: workspaceId,
    name: 'Faults',
  })
  const { http_server: server } = await client.call(operations.createHttpServer, {
    project_id: project.id,
    name: 'shop',
    base_url: url,
  })
  const { virtual_user: user } = await client.call(operations.createVirtualUser, {
    project_id: project.id,
    name: 'Buyer',
    document: {
      actions: [
        { type: 'http_request', id: 'act_order', method: 'POST', server_id: server.id, path: '/orders' },
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 50 } },
      ],
    },
  })
  const { scenario } = await client.call(operations.createScenario, {
    project_id: project.id,
    name: 'Faults',
    document: {
      profiles: [
        {
          id: 'p1',
          name: 'buyers',
          virtual_user_id: user.id,
          load: { type: 'ramp_up', users: 6, plateau_ms: 20_000 },
          agent_group: 'default',
        },
      ],
    },
  })
  return scenario.id
}
