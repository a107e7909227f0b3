// Pushes of running programs, and questions of agents meanwhile: `npm run bench -- live`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '@flamegate/client'
import { operations } from '@flamegate/contract'
import { freePort } from '../../tests/free-port.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '50000' },
    sessions: { type: 'string', default: '5' },
  },
})

interface Row {
  bench: 'live'
  metric: string
  peer: string
  ours: number
  theirs: number | null
  ratio: number | null
  goal: number | null
  met: boolean | null
  equal: boolean
}

interface Told {
  entries: number
  pushes: number
  refused: number
  latenciesMs: number[]
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'flamegate-bench-'))
await writeFile(
  path.join(dataDir, 'demo.json'),
  JSON.stringify({ email: 'a@b.example', password: 'nobody logs in', seeded: true }),
)
const port = await freePort()
const url = `http://localhost:${port}`
const platform = spawn(
  process.execPath,
  [path.join(import.meta.dirname, '../../apps/platform/src/main.ts')],
  {
    env: {
      ...process.env,
      FLAMEGATE_PORT: String(port),
      FLAMEGATE_PUBLIC_URL: url,
      FLAMEGATE_DATA_DIR: dataDir,
      FLAMEGATE_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)
try {
  const rows = await measure()
  for (const row of rows) console.log(values.json ? JSON.stringify(row) : textOf(row))
} finally {
  const ended = once(platform, 'exit')
  platform.kill('SIGTERM')
  await ended
  await rm(dataDir, { recursive: true, force: true })
}

async function measure(): Promise<Row[]> {
  await whenReady()
  const { app, token, reading } = await prepare()
  const pusher = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, 'load.ts'),
      url,
      app,
      token,
      values.rate,
      values.seconds,
      values.sessions,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  pusher.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(pusher, 'close')
  const cpuBefore = await cpuMs()
  const asked = await askUntil(ended, app, reading)
  const cpu = (await cpuMs()) - cpuBefore
  const alone = await askUntil(sleep(10_000), app, reading)
  const told: Told = JSON.parse(output)
  const wanted = Number(values.rate) * Number(values.seconds)
  const { rows } = await createClient({ baseUrl: url, token: reading }).call(operations.functionsTiming, {
    live_app_id: app,
    limit: 200,
  })
  const calls = rows.reduce((sum, { measures }) => sum + (measures['calls'] ?? 0), 0)
  const row = (
    metric: string,
    ours: number,
    goal: number | null,
    met: boolean | null,
    theirs: number | null = null,
  ): Row => ({
    bench: 'live',
    metric,
    peer: theirs === null ? 'none' : 'while nobody pushes',
    ours,
    theirs,
    ratio: theirs === null ? null : ours / theirs,
    goal,
    met,
    equal: told.entries === wanted && calls === wanted,
  })
  const rate = told.entries / Number(values.seconds)
  const peak = await peakBytes()
  const p99 = percentile(asked, 0.99)
  return [
    row('entries stored per second', rate, Number(values.rate), told.entries === wanted),
    row('pushes refused for a while', told.refused, 0, told.refused === 0),
    row('push, p99 ms', percentile(told.latenciesMs, 0.99), null, null),
    row('tool answer, p50 ms', percentile(asked, 0.5), null, null, percentile(alone, 0.5)),
    row('tool answer, p99 ms', p99, 100, p99 <= 100, percentile(alone, 0.99)),
    row('tool answers', asked.length, null, null),
    row(
      'CPU of the platform without Postgres, of one core',
      cpu / (1000 * Number(values.seconds)),
      null,
      null,
    ),
    row('peak memory of the platform, MB', peak / 2 ** 20, 1024, peak < 2 ** 30),
  ]
}

/** Somebody with a project, an app and its token, and a token that reads. */
async function prepare(): Promise<{ app: string; token: string; reading: string }> {
  const signedUp = await fetch(`${url}/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Bench', email: 'bench@example.com', password: 'correct horse bench' }),
  })
  if (signedUp.status !== 201) throw new Error(`sign-up: ${signedUp.status} ${await signedUp.text()}`)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const client = createClient({ baseUrl: url, headers: { cookie, origin: url } })
  const { workspaces } = await client.call(operations.getCurrentUser, {})
  const workspaceId = workspaces[0]?.id ?? ''
  const { project } = await client.call(operations.createProject, {
    workspace_id: workspaceId,
    name: 'Bench',
  })
  const { live_app: app, token } = await client.call(operations.registerLiveApp, {
    project_id: project.id,
    name: 'bench',
  })
  const { secret: reading } = await client.call(operations.createApiToken, {
    workspace_id: workspaceId,
    name: 'bench',
    scopes: ['read'],
  })
  return { app: app.id, token, reading }
}

/** An agent that asks all the time, one question after the other, as long as programs push. */
async function askUntil(ended: Promise<unknown>, app: string, token: string): Promise<number[]> {
  const over = new AbortController()
  void ended.then(() => over.abort())
  const latencies: number[] = []
  const questions: [string, Record<string, unknown>][] = [
    ['functions_timing', { live_app_id: app }],
    ['functions_timing', { live_app_id: app, last_seconds: 30 }],
    ['function_timing_logs', { live_app_id: app, function_name: 'shop::orders::function_7', limit: 10 }],
    ['function_timing_logs', { live_app_id: app, limit: 50 }],
    ['profiler_status', { live_app_id: app }],
  ]
  // The first answers come when something is there.
  await sleep(3000)
  for (let turn = 0; !over.signal.aborted; turn++) {
    const [tool, input] = questions[turn % questions.length]!
    const startedAt = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await ask(tool, input, token)
    latencies.push(performance.now() - startedAt)
    // oxlint-disable-next-line no-await-in-loop -- ten a second
    await sleep(100)
  }
  return latencies
}

async function ask(tool: string, input: Record<string, unknown>, token: string): Promise<string> {
  const response = await fetch(`${url}/mcp/x/live`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: input },
    }),
  })
  const text = await response.text()
  if (response.status !== 200 || text.includes('"isError":true'))
    throw new Error(`${tool} ${response.status}: ${text.slice(0, 1000)}`)
  return text
}

async function whenReady(): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it is there
    const text = await readFile(path.join(dataDir, 'ready.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) return
    if (platform.exitCode !== null) throw new Error('The platform ended.')
    // oxlint-disable-next-line no-await-in-loop -- see above
    await sleep(100)
  }
}

/** Of gateway and API, which are one process. */
async function cpuMs(): Promise<number> {
  const stat = await readFile(`/proc/${platform.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function peakBytes(): Promise<number> {
  const status = await readFile(`/proc/${platform.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

function percentile(numbers: readonly number[], share: number): number {
  const rising = numbers.toSorted((a, b) => a - b)
  return rising[Math.min(rising.length - 1, Math.floor(rising.length * share))] ?? NaN
}

function textOf({ metric, ours, theirs, peer, goal, met, equal }: Row): string {
  const wanted = goal === null ? '' : ` (goal ${goal}: ${met === true ? 'met' : 'NOT MET'})`
  const beside = theirs === null ? '' : `, ${theirs.toFixed(1)} ${peer}`
  return `${metric}: ${ours.toFixed(1)}${beside}${wanted}${equal ? '' : ' — NOT ALL THAT WAS PUSHED WAS FOUND'}`
}
