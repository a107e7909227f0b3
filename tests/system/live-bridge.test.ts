import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { operations, type Operation } from '@flamegate/contract'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  answerOf,
  generations,
  programBodies,
  type Generation,
} from '../../packages/live/src/hotpath/testing/bodies.ts'
import { callTool } from './calls.ts'
import { apiToken, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

/** `flamegate bridge hotpath` as people run it, between a server that answers as a program with hotpath-rs does, and the platform. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
let owner: Person
let projectId: string
let reader: string

beforeAll(async () => {
  owner = await signUp('Bridge')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Bridge',
  })
  projectId = project.id
  reader = await apiToken(owner, ['read'])
})

/** On a free port of loopback, with a call for each look at it. */
async function serveProgram(generation: Generation): Promise<{ port: number; state: { calls: number } }> {
  const state = { calls: 50 }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    if (path === '/functions_timing') state.calls++
    const bodies = programBodies(generation, state.calls, state.calls / 10)
    const { status, body } = answerOf(generation, bodies, path)
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  return { port: address.port, state }
}

/** Runs the command that the platform tells for a new live app, with more arguments. */
async function runBridge(name: string, args: readonly string[], port: number) {
  const { live_app: app, hotpath_command: command } = await owner.client.call(operations.registerLiveApp, {
    project_id: projectId,
    name,
  })
  const [program, ...words] = command.split(' ')
  expect(program).toBe('flamegate')
  const child = spawn(process.execPath, [cli, ...words, ...args], {
    env: { ...programEnv, HOTPATH_METRICS_PORT: String(port) },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [out, error] = [textOf(child.stdout), textOf(child.stderr)]
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    appId: app.id,
    interrupt: () => child.kill('SIGINT'),
    ended: async () => ({ exitCode: await exit, out: await out, error: await error }),
  }
}

async function ask(operation: Operation, input: Record<string, unknown>): Promise<string> {
  const { text, code } = await callTool(operation, input, { token: reader })
  return `${code ?? ''}${text}`
}

describe('what flamegate bridge hotpath pushes', () => {
  test.each(generations)('of a program of generation %s, an agent can ask for', async (generation) => {
    const { port, state } = await serveProgram(generation)
    const bridge = await runBridge(`generation ${generation}`, ['--interval', '0.2s'], port)
    const of = { live_app_id: bridge.appId }
    await expect.poll(() => ask(operations.functionsTiming, of)).toContain('shop::pay')
    await expect
      .poll(() => ask(operations.functionTimingLogs, { ...of, function_name: 'shop::pay' }))
      .toContain('Ok(')
    expect(await ask(operations.channels, of)).toContain('jobs')
    expect(await ask(operations.threads, of)).toContain('main')
    expect(await ask(operations.functionsAlloc, of)).toContain('enable hotpath-alloc feature')
    bridge.interrupt()
    const { exitCode, out, error } = await bridge.ended()
    expect([exitCode, error]).toEqual([0, ''])
    expect(out).toContain(`Reading shop::main (hotpath, generation ${generation})`)
    // The last look at the program arrived, too.
    const { answer } = await callTool(operations.functionsTiming, of, { token: reader })
    expect(JSON.stringify(answer)).toContain(`"calls":${state.calls}`)
  })

  test('a report of a program that has ended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'flamegate-report-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'report.json')
    const { '/functions_timing': timing } = programBodies('4', 50, 12.4)
    const meta = { created_at: new Date(Date.now() - 60_000).toISOString() }
    await writeFile(
      file,
      JSON.stringify({ type: 'hotpath_report', meta, label: 'shop', functions_timing: timing }),
    )
    const bridge = await runBridge('a report', ['--report', file], 1)
    expect(await bridge.ended()).toMatchObject({ exitCode: 0, error: '' })
    expect(await ask(operations.functionsTiming, { live_app_id: bridge.appId })).toContain('shop::pay')
  })
})
