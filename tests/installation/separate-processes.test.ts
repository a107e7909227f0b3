import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startChosenRedis } from '../../packages/queue/src/testing.ts'
import { startCollector, type SentSpan } from '../../packages/runtime/src/tracing/test-collector.ts'
import { startFleet, type Fleet } from '../long/fleet/fleet.ts'
import { BrowserlessPerson } from '../system/browserless-person.ts'
import { announce, putArchive, uploadAsRunner } from '../system/codspeed-runner.ts'
import { startGitHub } from '../system/github-jobs.ts'
import { archiveOf } from '../system/runner-archive.ts'
import { TokenClient, type Tokens } from '../system/token-client.ts'

// As in docker-compose.yml: gateway, API and worker are processes of their own, and all that is asked goes through the
// gateway.

const samples = join(import.meta.dirname, '../../packages/benchmarks/samples/codspeed')
const toolResult = z.object({
  result: z.object({ isError: z.boolean().optional(), structuredContent: z.record(z.string(), z.unknown()) }),
})

let fleet: Fleet
let gitHub: Awaited<ReturnType<typeof startGitHub>>
let collector: Awaited<ReturnType<typeof startCollector>>
let redis: Awaited<ReturnType<typeof startChosenRedis>>
let person: BrowserlessPerson
let projectId: string

beforeAll(async () => {
  gitHub = await startGitHub('acme/checkout')
  redis = await startChosenRedis()
  collector = await startCollector()
  fleet = await startFleet({
    gateways: 1,
    settings: {
      FLAMEGATE_GITHUB_OIDC_ISSUER: gitHub.url,
      FLAMEGATE_TARGETS_ALLOWED: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
  })
  person = await BrowserlessPerson.signUp(fleet.url, 'Apart')
  const { workspaces } = await rest('GET', '/v1/workspaces')
  const [workspace] = z.array(z.object({ id: z.string() })).parse(workspaces)
  const { project } = await rest('POST', `/v1/workspaces/${workspace?.id}/projects`, {
    name: 'Checkout',
    repository: 'acme/checkout',
  })
  projectId = z.object({ id: z.string() }).parse(project).id
})
afterAll(async () => {
  await fleet?.stop()
  await redis?.stop()
  gitHub?.stop()
  collector?.close()
})

async function rest(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await person.rest(method, path, body)
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return z.record(z.string(), z.unknown()).parse(await answer.json())
}

async function answerOf(response: Promise<Response>): Promise<Record<string, unknown>> {
  const { result } = toolResult.parse(await (await response).json())
  if (result.isError === true) throw new Error(JSON.stringify(result))
  return result.structuredContent
}

/** The status and the number of results of a run. */
async function runNow(runId: string): Promise<unknown> {
  const { run } = await rest('GET', `/v1/runs/${runId}`)
  return z.object({ status: z.string(), result_count: z.number() }).parse(run)
}

const results = `goos: linux\ngoarch: amd64\npkg: example.com/app\n${'BenchmarkParse-2 1000 1000 ns/op\n'.repeat(6)}PASS\n`

test('an agent logs in, reads, asks for more to write, uploads, and is cut off within a second', async () => {
  const client = new TokenClient(fleet.url)
  const submission = {
    repository: projectId,
    branch: 'main',
    commit_hash: 'abcdef1',
    results,
  }
  const submit = ({ access_token: token }: Tokens) =>
    client.call(token, 'submit_benchmark_results', fleet.url, submission)

  const reading = await client.connect(person, 'Agent')
  const listed = await answerOf(client.call(reading.access_token, 'list_repositories'))
  expect(listed).toMatchObject({ repositories: [{ repository: 'acme/checkout' }] })

  // Over 1 MiB, which is not too large on the way from the gateway to the API either: it is no run.
  const large = { run_id: 'x'.repeat(3 * 2 ** 20) }
  const told = await client.call(reading.access_token, 'get_run', fleet.url, large)
  expect(await told.text()).toContain('(invalid_input)')

  const refused = await submit(reading)
  expect(refused.status).toBe(403)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  expect(challenge).toContain('error="insufficient_scope"')
  const scope = /scope="([^"]+)"/.exec(challenge)?.[1] ?? ''
  const writing = await client.stepUp(person, scope)
  const submitted = await answerOf(submit(writing))
  const { id: runId } = z.object({ id: z.string() }).parse(submitted['run'])
  expect(await runNow(runId)).toEqual({ status: 'COMPLETED', result_count: 1 })

  const archive = await archiveOf(join(samples, 'memory'))
  const upload = {
    repository: projectId,
    branch: 'main',
    commit_hash: 'abcdef2',
    file_name: 'profile.tar',
    size_bytes: archive.length,
  }
  const announced = await answerOf(client.call(writing.access_token, 'create_run_upload', fleet.url, upload))
  const {
    upload: target,
    task_id: taskId,
    run_id: uploadedRunId,
  } = z
    .object({
      upload: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
      task_id: z.string(),
      run_id: z.string(),
    })
    .parse(announced)
  const sent = await fetch(target.url, {
    method: 'PUT',
    headers: target.headers,
    body: new Uint8Array(archive),
  })
  expect(sent.status).toBe(201)
  const status = async () => {
    const asked = { task_id: taskId }
    return answerOf(client.call(writing.access_token, 'get_task_result', fleet.url, asked))
  }
  await expect.poll(status).toMatchObject({ task: { status: 'SUCCESS' } })
  expect(await runNow(uploadedRunId)).toEqual({ status: 'COMPLETED', result_count: 2 })

  // What the agent asked for is one trace through all of them, and nothing that proves who it is stands in it.
  const parentOf = (child?: SentSpan) =>
    collector.spans().find(({ spanId }) => spanId === child?.parentSpanId)
  const wayOf = (child?: SentSpan): string[] =>
    child === undefined ? [] : [...wayOf(parentOf(child)), `${child.service}: ${child.name}`]
  const job = () => collector.spans().find(({ name }) => name === 'import_results')
  await expect
    .poll(() => wayOf(job()))
    .toEqual([
      'flamegate-gateway: POST /mcp',
      'flamegate-api: POST /v1/tools/:name',
      'flamegate-api: get_task_result',
      'flamegate-worker: import_results',
    ])
  expect(wayOf(collector.spans().find(({ name }) => name === 'create_project'))).toEqual([
    'flamegate-gateway: POST /v1/*',
    expect.stringContaining('flamegate-api: POST /v1/workspaces/'),
    'flamegate-api: create_project',
  ])
  const spans = JSON.stringify(collector.spans())
  const signature = new URL(target.url).searchParams.get('signature') ?? target.url
  for (const secret of [writing.access_token, reading.access_token, signature, 'Bearer']) {
    expect(spans.includes(secret)).toBe(false)
  }

  await rest('DELETE', `/v1/me/connected-apps/${String(decodeJwt(writing.access_token)['gid'])}`)
  const statusNow = async () => (await client.call(writing.access_token, 'list_repositories')).status
  await expect.poll(statusNow, { interval: 10 }).toBe(401)
  expect((await client.refresh(writing.refresh_token)).status).toBe(400)
})

test('a job of GitHub Actions uploads with CodSpeed’s runner and no secret, if the project lets it', async () => {
  const archive = await archiveOf(join(samples, 'walltime'))
  const settings = {
    uploadUrl: `${fleet.url}/upload`,
    owner: 'acme',
    repository: 'checkout',
    ciRunId: '17',
  }
  const asJob = async () => ({ ...settings, token: await gitHub.idToken('codspeed.io') })
  const refused = await announce(await asJob(), archive)
  expect([refused.status, await refused.json()]).toEqual([
    404,
    { error: expect.stringContaining('Turn keyless uploads on') },
  ])

  await rest('PATCH', `/v1/projects/${projectId}`, { keyless_uploads: true })
  const { runId } = await uploadAsRunner(await asJob(), archive)
  await expect.poll(() => runNow(runId)).toMatchObject({ status: 'COMPLETED', result_count: 2 })

  // Its refusals come through the gateway in the words that the runner prints.
  const elsewhere = await announce({ ...(await asJob()), repository: 'other' }, archive)
  expect([elsewhere.status, await elsewhere.json()]).toEqual([
    404,
    { error: expect.stringContaining('acme/other') },
  ])
  const nowhere = await putArchive(`${fleet.url}/upload/ws_1/fil_1?signature=x`, archive)
  expect([nowhere.status, await nowhere.text()]).toEqual([401, expect.stringContaining('has expired')])
})

const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text()

test('whoever watches is told by each process, and everybody by the status page', async () => {
  const [gateway, api, worker] = await Promise.all(
    [fleet.gatewayUrls[0] ?? '', fleet.apiUrl, fleet.workerUrl].map(metricsOf),
  )
  expect(gateway).toMatch(
    /^flamegate_tool_call_duration_seconds_count\{operation="list_repositories",outcome="ok"\} [1-9]/m,
  )
  expect(api).toMatch(/^flamegate_queue_jobs\{queue="flamegate",state="waiting"\} \d/m)
  expect(api).toMatch(/^flamegate_backlog\{kind="deliveries"\} \d/m)
  expect(worker).toMatch(
    /^flamegate_job_duration_seconds_count\{kind="import_results",outcome="completed"\} [1-9]/m,
  )
  expect(worker).toMatch(
    /^flamegate_routine_last_success_timestamp_seconds\{routine="component_health"\} \d/m,
  )
  const status = async () => (await fetch(`${fleet.url}/status.json`)).json()
  await expect.poll(status).toMatchObject({
    status: 'operational',
    components: ['gateway', 'api', 'database', 'jobs', 'files'].map((id) => ({ id, status: 'operational' })),
  })
})

const id = (answer: Record<string, unknown>, name: string) =>
  z.object({ id: z.string() }).parse(answer[name]).id
const streamOf = (runId: string) => person.rest('GET', `/v1/bench-results/${runId}/events`)

test('the event stream of a load test comes through the gateway as it is told, and does not keep it from stopping', async () => {
  const server = await rest('POST', `/v1/projects/${projectId}/http-servers`, {
    name: 'shop',
    base_url: 'http://127.0.0.1:9',
  })
  const user = await rest('POST', `/v1/projects/${projectId}/virtual-users`, {
    name: 'Buyer',
    document: {
      actions: [
        { type: 'http_request', id: 'a', method: 'GET', server_id: id(server, 'http_server'), path: '/' },
      ],
    },
  })
  const scenario = await rest('POST', `/v1/projects/${projectId}/scenarios`, {
    name: 'Sale',
    virtual_user_ids: [id(user, 'virtual_user')],
    load: { type: 'ramp_up', users: 1, plateau_ms: 600_000 },
  })
  const begin = async () =>
    id(await rest('POST', `/v1/scenarios/${id(scenario, 'scenario')}/runs`, {}), 'bench_result')
  const [stopped, waiting] = [await begin(), await begin()]
  const stream = await streamOf(stopped)
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(stream.headers.get('x-accel-buffering')).toBe('no')
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  while (!heard.includes('"state":"PENDING"')) heard += (await reader?.read())?.value ?? ''
  await rest('POST', `/v1/bench-results/${stopped}/stop`, {})
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) heard += part.value
  expect(heard).toMatch(/"state":"ABORTED"[^\n]*\n\nevent: end\n/)

  const open = await streamOf(waiting)
  await fleet.restart(0)
  const text = await open.text()
  expect(text).toContain('"state":"PENDING"')
  expect(text).not.toContain('event: end')
})
