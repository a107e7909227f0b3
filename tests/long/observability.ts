// What whoever watches an installation sees of it: a real Prometheus (of Debian) scrapes gateway, API and worker by
// deploy/observability, and an OTLP receiver takes their traces, while an agent works and while the worker is away.
//
//     npm run long -- observability
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { startCollector } from '../../packages/runtime/src/tracing/test-collector.ts'
import { BrowserlessPerson } from '../system/browserless-person.ts'
import { TokenClient } from '../system/token-client.ts'
import { startFleet } from './fleet/fleet.ts'
import { freePort } from '../free-port.ts'

const folder = join(import.meta.dirname, '../../deploy/observability')
const busyMs = 30_000
const workerAwayMs = 90_000
/** On a machine that has much else to do. */
const backWithinMs = 300_000
/** What there is only of what went wrong, or of a bucket. */
const mayBeEmpty = /flamegate_limit_refusals|status=~"5\.\."|flamegate_storage_request/

if (spawnSync('prometheus', ['--version']).status !== 0) {
  console.error('*** SKIPPED: prometheus was not found. Install it (Debian: prometheus). ***')
  process.exit(0)
}

const config = z.looseObject({
  scrape_configs: z.array(z.looseObject({ job_name: z.string() })),
})
const answer = z.object({ status: z.literal('success'), data: z.unknown() })
const dashboard = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
  ),
})

const status = z.object({
  status: z.string(),
  components: z.array(z.object({ id: z.string(), status: z.string() })),
  incidents: z.array(z.object({ component: z.string(), ended_at: z.string().nullable() })),
})

const faults: string[] = []
function expectThat(isSo: boolean, what: string): void {
  console.log(`${isSo ? 'ok  ' : 'FAIL'} ${what}`)
  if (!isSo) faults.push(what)
}

const collector = await startCollector()
const fleet = await startFleet({
  gateways: 1,
  settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
})
const dir = await mkdtemp(join(tmpdir(), 'flamegate-prometheus-'))
const prometheus = await startPrometheus()
try {
  await work()
  await ask()
  await awayAndBack()
  traces()
} finally {
  prometheus.child.kill('SIGTERM')
  await once(prometheus.child, 'exit')
  await fleet.stop()
  collector.close()
  await rm(dir, { recursive: true })
}
console.log(faults.length === 0 ? 'All as promised.' : `${faults.length} promises were not kept.`)
if (faults.length > 0) process.exitCode = 1

/** As deploy/observability says it, but for where the processes are and how often they are asked. */
async function startPrometheus() {
  const targets: Record<string, string> = {
    'flamegate-gateway': fleet.gatewayUrls[0] ?? '',
    'flamegate-api': fleet.apiUrl,
    'flamegate-worker': fleet.workerUrl,
  }
  const written = config.parse(parse(await readFile(join(folder, 'prometheus.yml'), 'utf8')))
  const here = {
    ...written,
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.yml')],
    scrape_configs: written.scrape_configs.map(({ job_name: name }) => ({
      job_name: name,
      static_configs: [{ targets: [new URL(targets[name] ?? '').host] }],
    })),
  }
  const file = join(dir, 'prometheus.yml')
  await writeFile(file, stringify(here))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(dir, 'data')}`]
  const child = spawn('prometheus', [...args, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  while (!(await fetch(`${url}/-/ready`).catch(() => undefined))?.ok) await pause(200)
  return { child, url }
}

async function api(path: string, query: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(`${prometheus.url}/api/v1/${path}?${new URLSearchParams(query).toString()}`)
  return answer.parse(await response.json()).data
}

async function series(expr: string): Promise<number[]> {
  const result = z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) })
  const { result: found } = result.parse(await api('query', { query: expr }))
  return found.map(({ value }) => Number(value[1]))
}

/** An agent asks, asks for what is not there, and uploads; a person reads pages. */
async function work(): Promise<void> {
  const person = await BrowserlessPerson.signUp(fleet.url, 'Watched')
  const { workspaces } = z
    .object({ workspaces: z.array(z.object({ id: z.string() })) })
    .parse(await (await person.rest('GET', '/v1/workspaces')).json())
  await person.rest('POST', `/v1/workspaces/${workspaces[0]?.id}/projects`, {
    name: 'Checkout',
    repository: 'acme/checkout',
  })
  const client = new TokenClient(fleet.url)
  const { access_token: token } = await client.connect(person, 'Agent')
  const until = Date.now() + busyMs
  while (Date.now() < until) {
    await client.call(token, 'list_repositories')
    await client.call(token, 'get_run', fleet.url, { run_id: 'run_none' })
    await person.rest('POST', '/v1/repositories/acme%2Fcheckout/runs', {
      branch: 'main',
      commit_hash: 'abcdef1',
      results: `pkg: example.com/app\n${'BenchmarkParse-2 1000 1000 ns/op\n'.repeat(3)}PASS\n`,
    })
    await fetch(`${fleet.url}/status.json`)
    await pause(200)
  }
}

async function ask(): Promise<void> {
  const targets = z
    .object({ activeTargets: z.array(z.object({ health: z.string(), lastError: z.string() })) })
    .parse(await api('targets'))
  const up = targets.activeTargets.filter(({ health }) => health === 'up')
  expectThat(up.length === 3, `${up.length} of 3 processes are scraped`)
  const rule = z.object({ name: z.string(), health: z.string(), lastError: z.string().optional() })
  const { groups } = z
    .object({ groups: z.array(z.object({ rules: z.array(rule) })) })
    .parse(await api('rules'))
  const rules = groups.flatMap((group) => group.rules)
  const bad = rules.filter(({ health }) => health !== 'ok')
  expectThat(
    rules.length > 30 && bad.length === 0,
    `${rules.length} rules are evaluated ${JSON.stringify(bad)}`,
  )
  const { panels } = dashboard.parse(
    JSON.parse(await readFile(join(folder, 'grafana-dashboard.json'), 'utf8')),
  )
  for (const { title, targets: queries } of panels) {
    for (const { expr } of queries) {
      const found = await series(expr.replaceAll('$__rate_interval', '30s'))
      expectThat(found.length > 0 || mayBeEmpty.test(expr), `${found.length} series of “${title}”`)
    }
  }
  const [failed] = await series('flamegate:slo_errors:ratio5m{slo="tool_calls"}')
  expectThat(failed === 0, `of tool calls ${failed} were bad, though half of them were refused`)
  expectThat((await series('ALERTS{alertstate="firing"}')).length === 0, 'no alert is there')
}

async function statusNow() {
  return status.parse(await (await fetch(`${fleet.url}/status.json`)).json())
}

/** Without the only worker, jobs are down on the status page, and an alert is on its way; with it all is well again. */
async function awayAndBack(): Promise<void> {
  const back = fleet.crashWorker(workerAwayMs)
  await pause(workerAwayMs - 10_000)
  const { status: overall, components, incidents } = await statusNow()
  const jobs = components.find(({ id }) => id === 'jobs')?.status
  expectThat(overall === 'degraded' && jobs === 'down', `the status page says ${overall}, jobs are ${jobs}`)
  const lasting = incidents.filter((each) => each.component === 'jobs' && each.ended_at === null)
  expectThat(lasting.length === 1, `${lasting.length} incident of jobs lasts`)
  const pending = await series('ALERTS{alertname="FlamegateProcessDown"}')
  expectThat(pending.length === 1, 'FlamegateProcessDown is pending')
  await back
  const deadline = Date.now() + backWithinMs
  let now = await statusNow()
  while (now.status !== 'operational' && Date.now() < deadline) {
    await pause(1_000)
    now = await statusNow()
  }
  const over = now.incidents.filter((each) => each.component === 'jobs' && each.ended_at !== null)
  expectThat(
    now.status === 'operational' && over.length === 1,
    `afterwards all is ${now.status}, ${over.length} incident of jobs is over`,
  )
}

function traces(): void {
  const spans = collector.spans()
  const jobs = spans.filter(({ name, service }) => name === 'watch_run' && service === 'flamegate-worker')
  const through = jobs.filter(({ traceId }) =>
    ['flamegate-gateway', 'flamegate-api'].every((service) =>
      spans.some((span) => span.traceId === traceId && span.service === service),
    ),
  )
  expectThat(
    jobs.length > 0 && through.length === jobs.length,
    `${through.length} of ${jobs.length} jobs are in the trace of their request, ${spans.length} spans in all`,
  )
}
