import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatShare, operations, type OutputOf } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

/** Reports of runs that an agent, a process of its own, really made: what they say is what was measured. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const durationMs = 12_000

let owner: Person
let projectId: string
let scenarioId: string
let target: Server
let agent: ChildProcess
/** How long the server takes. */
let delayMs = 5
let firstId: string
let secondId: string
let firstReportId: string

beforeAll(async () => {
  let orders = 0
  target = createServer((request, response) => {
    const isFailing = request.url === '/orders' && ++orders % 10 === 0
    setTimeout(() => {
      response.writeHead(isFailing ? 500 : 200, { 'content-type': 'application/json' })
      response.end('{"id":1}')
    }, delayMs)
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  owner = await signUp('Reporter')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Reported',
  })
  projectId = project.id
  const { http_server: server } = await owner.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: `http://127.0.0.1:${portOf(target)}`,
  })
  const request = (id: string, method: string, path: string) => ({
    type: 'http_request',
    id,
    name: `${method} ${path}`,
    method,
    server_id: server.id,
    path,
  })
  const { virtual_user: user } = await owner.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Buyer',
    document: {
      actions: [
        {
          type: 'container',
          id: 'act_checkout',
          name: 'checkout',
          actions: [request('act_cart', 'GET', '/cart'), request('act_orders', 'POST', '/orders')],
        },
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 20 } },
      ],
    },
  })
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Buyers',
    virtual_user_ids: [user.id],
    load: { type: 'ramp_up', users: 4, ramp_up_ms: 1000, plateau_ms: durationMs - 1000 },
    thresholds: ['error share < 1 %'],
  })
  scenarioId = scenario.id
  const { token } = await owner.client.call(operations.getAgentInstallCommand, {
    workspace_id: owner.workspaceId,
  })
  agent = spawn(
    process.execPath,
    [cli, 'agent', '--group', 'default', '--workspace', owner.workspaceId, '--threads', '1'],
    {
      env: { ...programEnv, FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: token },
      stdio: 'ignore',
    },
  )
})
afterAll(async () => {
  if (agent !== undefined && agent.exitCode === null) {
    const exit = once(agent, 'exit')
    agent.kill('SIGKILL')
    await exit
  }
  target?.close()
})

type Values = OutputOf<typeof operations.getReportItemValues>['values']

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function ended(id: string): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const now = await owner.client.call(operations.getBenchResult, { bench_result_id: id })
    if (now.next_poll_seconds === null) {
      expect(now.bench_result.state).toBe('FINISHED')
      return
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    await sleep(500)
  }
}

async function valuesOf(reportId: string, itemId: string, rest: object = {}): Promise<Values> {
  const { values } = await owner.client.call(operations.getReportItemValues, {
    bench_report_id: reportId,
    item_id: itemId,
    ...rest,
  })
  return values
}

/** Values of an item of that type, with its fields. */
async function valuesAs<Type extends Values['type']>(
  type: Type,
  reportId: string,
  itemId: string = type,
): Promise<Extract<Values, { type: Type }>> {
  const values = await valuesOf(reportId, itemId)
  if (values.type !== type) throw new TypeError(`${itemId} is a ${values.type}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was looked at
  return values as Extract<Values, { type: Type }>
}

test('a report of a run is there from its start, and live while it goes on', async () => {
  const started = await owner.client.call(operations.runScenario, {
    scenario_id: scenarioId,
    name: 'Before',
    agents: 1,
    wait_seconds: 600,
  })
  firstId = started.bench_result.id
  firstReportId = started.bench_result.bench_report_id ?? ''
  await expect
    .poll(async () => {
      const { numbers } = await valuesAs('summary', firstReportId)
      return numbers[0]?.value ?? 0
    })
    .toBeGreaterThan(0)
  const { runs } = await owner.client.call(operations.getBenchReport, { bench_report_id: firstReportId })
  expect(runs[0]?.state).toBe('RUNNING')
  await ended(firstId)
  // So much that no other work of the machine hides it.
  delayMs = 100
  const later = await owner.client.call(operations.runScenario, {
    scenario_id: scenarioId,
    name: 'After',
    agents: 1,
    wait_seconds: 600,
  })
  secondId = later.bench_result.id
  await ended(secondId)
})

test('it is named as the run is, and found', async () => {
  const {
    bench_report: report,
    document,
    runs,
  } = await owner.client.call(operations.getBenchReport, {
    bench_report_id: firstReportId,
  })
  expect(report).toMatchObject({ name: 'Before', version: 1, bench_result_ids: [firstId], is_trend: false })
  expect(document['items']).toHaveLength(report.item_count)
  expect(runs).toMatchObject([{ id: firstId, name: 'Before', state: 'FINISHED' }])
  const listed = await owner.client.call(operations.listBenchReports, { project_id: projectId })
  expect(listed.bench_reports.map(({ name }) => name)).toEqual(['After', 'Before'])
  const { results } = await owner.client.call(operations.search, { query: 'before', project_id: projectId })
  expect(results).toMatchObject([{ id: firstReportId, kind: 'report', snippet: '1 run' }])
  const fetched = await owner.client.call(operations.fetch, { id: firstReportId })
  expect(fetched).toMatchObject({ title: 'Before', metadata: { kind: 'report' } })
  expect(fetched.text).toContain('A threshold was breached')
})

test('its items say what the table of the run says', async () => {
  const table = await owner.client.call(operations.getBenchTable, { bench_result_id: firstId })
  const summary = await valuesAs('summary', firstReportId)
  expect(summary.numbers.map(({ metric, value }) => [metric, value])).toEqual([
    ['count', table.total?.count],
    ['rate', table.total?.rate_per_second],
    ['mean', table.total?.mean_ms],
    ['p95', table.total?.p95_ms],
    ['p99', table.total?.p99_ms],
    ['error_share', table.total?.error_share],
  ])
  expect(summary.thresholds).toMatchObject([{ text: 'error share < 1%', state: 'breached' }])
  expect(await valuesAs('table', firstReportId)).toMatchObject({ rows: table.rows, total: table.total })
  const top = await valuesAs('top', firstReportId, 'slowest')
  const slowest = Math.max(
    ...table.rows.filter(({ type }) => type === 'http_request').map(({ p95_ms }) => p95_ms ?? 0),
  )
  expect(top.entries[0]?.value).toBe(slowest)
  const distribution = await valuesAs('distribution', firstReportId)
  expect(distribution.runs[0]?.percentiles).toEqual(table.percentiles)
  expect(distribution.runs[0]?.bars).toEqual(table.distribution)
  const phases = await valuesAs('phases', firstReportId)
  expect(phases.rows).toHaveLength(2)
  expect(phases.rows[0]?.wait).toBeGreaterThan(4)
  const { generators, events } = await valuesAs('generators', firstReportId)
  expect(generators).toMatchObject([{ slot: 0, agent_group: 'default', state: 'DONE', users_max: 4 }])
  expect(events.length).toBeGreaterThan(0)
  const load = await valuesAs('chart', firstReportId, 'load')
  const [rate, users] = load.lines
  const requests = (rate?.values ?? []).reduce(
    (sum: number, value) => sum + (value ?? 0) * load.bucket_seconds,
    0,
  )
  expect(Math.round(requests)).toBe(table.total?.count)
  expect(Math.max(...(users?.values ?? []).map(Number))).toBe(4)
})

test('errors are grouped, and one of them can be looked into', async () => {
  const found = await owner.client.call(operations.getReportErrors, { bench_report_id: firstReportId })
  const [error] = found.errors
  expect(error).toMatchObject({ name: 'checkout / POST /orders', error_class: 'status_5xx' })
  expect(error?.count).toBe(found.total)
  const [sampleId] = error?.sample_ids ?? []
  const { sample } = await owner.client.call(operations.getReportErrors, {
    bench_report_id: firstReportId,
    sample_id: sampleId,
  })
  expect(sample).toMatchObject({ id: sampleId, exchange: { request: { method: 'POST' } } })
  await expect(
    owner.client.call(operations.getReportErrors, {
      bench_report_id: firstReportId,
      sample_id: 'smp_nowhere',
    }),
  ).rejects.toMatchObject({ code: 'bench_sample_not_found' })
})

test('insights name the breach, the errors and what rests on which item, each with numbers', async () => {
  const { insights } = await owner.client.call(operations.getReportInsights, {
    bench_report_id: firstReportId,
  })
  const kinds = insights.map(({ kind }) => kind)
  expect(kinds).toContain('threshold_breached')
  expect(kinds).toContain('errors')
  expect(kinds).toContain('worst_action')
  // Four users, all the time: there is no curve.
  expect(kinds).toContain('knee_not_enough_data')
  const errors = insights.find(({ kind }) => kind === 'errors')
  expect(errors?.evidence[0]).toMatchObject({
    bench_result_id: firstId,
    item_id: 'error-share',
    unit: 'share',
  })
  expect(await valuesAs('insights', firstReportId)).toMatchObject({ insights })
})

test('the share of errors is one number, in words, in evidence and in tables', async () => {
  // With answers that take a while, some of them come when the load is over.
  const { bench_result: run } = await owner.client.call(operations.getBenchResult, {
    bench_result_id: secondId,
  })
  const { total } = await owner.client.call(operations.getBenchTable, { bench_result_id: secondId })
  const { insights } = await owner.client.call(operations.getReportInsights, {
    bench_report_id: run.bench_report_id ?? '',
  })
  const share = total?.error_share ?? 0
  const errors = insights.find(({ kind }) => kind === 'errors')
  expect(errors?.title.startsWith(`${formatShare(share)} of the requests failed`)).toBe(true)
  expect(errors?.evidence[0]?.value).toBeCloseTo(share, 7)
  const breach = insights.find(({ kind }) => kind === 'threshold_breached')
  expect(breach?.evidence).toMatchObject([{ name: 'measured', unit: 'share' }])
  expect(breach?.evidence[0]?.value).toBeCloseTo(share, 7)
})

test('two runs are compared: the later one is slower, and how sure that is', async () => {
  const { bench_report: report } = await owner.client.call(operations.createReport, {
    project_id: projectId,
    bench_result_ids: [firstId, secondId],
  })
  expect(report.name).toBe('Comparison of Before and After')
  const { rows, runs } = await valuesAs('comparison', report.id)
  expect(runs.map(({ id }) => id)).toEqual([firstId, secondId])
  const p50 = rows[0]?.metrics.find(({ metric }) => metric === 'p50')
  expect(p50?.changes).toMatchObject([null, { verdict: 'worse' }])
  const change = p50?.changes[1]
  expect(change?.low).toBeGreaterThan(0.3)
  expect(change?.share).toBeGreaterThan(change?.low ?? Infinity)
  expect(change?.high).toBeGreaterThan(change?.share ?? Infinity)
  expect(rows[0]?.metrics.find(({ metric }) => metric === 'rate')?.changes[1]).toMatchObject({
    verdict: 'worse',
  })
  const byAction = await valuesAs('comparison', report.id, 'actions')
  expect(byAction.rows.map(({ name }) => name).toSorted()).toEqual([
    'checkout / GET /cart',
    'checkout / POST /orders',
  ])
  const { insights } = await owner.client.call(operations.getReportInsights, {
    bench_report_id: report.id,
    run: 1,
  })
  const regression = insights.find(({ kind }) => kind === 'regression')
  expect(regression?.title).toMatch(/^Worse than Before: .*median [+×]/)
  const distribution = await valuesAs('distribution', report.id)
  expect(distribution.runs.map(({ run }) => run.name)).toEqual(['Before', 'After'])
  const chart = await valuesAs('chart', report.id, 'response-times')
  expect(chart.lines.map(({ name }) => name)).toEqual(['p95, Before', 'p95, After'])
})

test('runs of one name are told apart', async () => {
  const rename = (name: string) =>
    owner.client.call(operations.updateBenchResult, { bench_result_id: secondId, name })
  await rename('Before')
  const { bench_report: report } = await owner.client.call(operations.createReport, {
    project_id: projectId,
    bench_result_ids: [firstId, secondId],
  })
  const names = ['Before', 'Before (2)']
  const { runs } = await owner.client.call(operations.getBenchReport, { bench_report_id: report.id })
  expect(runs.map((run) => run?.name)).toEqual(names)
  const compared = await valuesAs('comparison', report.id)
  expect(compared.runs.map(({ name }) => name)).toEqual(names)
  const distribution = await valuesAs('distribution', report.id)
  expect(distribution.runs.map(({ run }) => run.name)).toEqual(names)
  const chart = await valuesAs('chart', report.id, 'response-times')
  expect(chart.lines.map(({ name }) => name)).toEqual(names.map((name) => `p95, ${name}`))
  await rename('After')
})

test('the baseline of a scenario is what its later runs are compared with', async () => {
  const update = { bench_result_id: firstId, is_baseline: true, tags: ['release-7'] }
  const { bench_result: run } = await owner.client.call(operations.updateBenchResult, update)
  expect(run).toMatchObject({ is_baseline: true, tags: ['release-7'] })
  const { bench_result: second } = await owner.client.call(operations.getBenchResult, {
    bench_result_id: secondId,
  })
  const { insights } = await owner.client.call(operations.getReportInsights, {
    bench_report_id: second.bench_report_id ?? '',
  })
  expect(insights.find(({ kind }) => kind === 'regression')?.title).toContain('Worse than Before')
  await owner.client.call(operations.updateBenchResult, { bench_result_id: secondId, is_baseline: true })
  const { bench_result: first } = await owner.client.call(operations.getBenchResult, {
    bench_result_id: firstId,
  })
  expect(first.is_baseline).toBe(false)
})

test('a trend finds its runs anew at each read', async () => {
  const { bench_report: report } = await owner.client.call(operations.createReport, {
    project_id: projectId,
    name: 'Weeks',
    trend: { scenario_id: scenarioId },
  })
  const { lines } = await valuesAs('trend', report.id)
  expect(lines[0]?.points.map(({ run }) => run.id)).toEqual([firstId, secondId])
  expect(lines[0]?.points[1]?.value).toBeGreaterThan(lines[0]?.points[0]?.value ?? Infinity)
  const select = async (trend: object) => {
    await owner.client.call(operations.patchBenchReport, {
      bench_report_id: report.id,
      patch: [{ op: 'add', path: '/trend', value: trend }],
    })
    const {
      lines: [line],
    } = await valuesAs('trend', report.id)
    return line?.points.map(({ run }) => run.name)
  }
  expect(await select({ name: { match: 'starts_with', text: 'aft' } })).toEqual(['After'])
  expect(await select({ name: { match: 'ends_with', text: 'aft' } })).toEqual([])
  expect(await select({ tags: ['release-7'] })).toEqual(['Before'])
  expect(await select({ created_before: '2020-01-01T00:00:00Z' })).toEqual([])
  await expect(select({ scenario_id: 'scn_elsewhere' })).rejects.toMatchObject({
    code: 'invalid_input',
    errors: [{ field: '/trend/scenario_id' }],
  })
})

test('items are changed, go back to how they were, and are told what is wrong with them', async () => {
  const patch = (value: object, rest: object = {}) =>
    owner.client.call(operations.patchBenchReport, {
      bench_report_id: firstReportId,
      patch: [{ op: 'add', path: '/items/-', value }],
      ...rest,
    })
  const chart = {
    id: 'apart',
    type: 'chart',
    apart: 'action',
    lines: [{ metric: 'rate' }, { metric: 'p95', scope: { type: 'container', name: 'checkout' } }],
  }
  const dry = await patch(chart, { dry_run: true })
  expect(dry).toMatchObject({ dry_run: true, bench_report: { version: 1 } })
  const { bench_report: report, changes } = await patch(chart)
  expect(report.version).toBe(2)
  expect(changes).toMatchObject([{ before: null }])
  const { lines } = await valuesAs('chart', firstReportId, 'apart')
  expect(lines.map(({ name }) => name)).toEqual([
    'rate, checkout',
    'rate, checkout / GET /cart',
    'rate, checkout / POST /orders',
    'p95, checkout, checkout',
  ])
  await expect(patch(chart)).rejects.toMatchObject({
    code: 'invalid_input',
    errors: [{ field: '/items/13/id' }],
  })
  await expect(patch({ id: 'x', type: 'top', metric: 'happiness' })).rejects.toMatchObject({
    code: 'invalid_input',
    errors: [{ field: '/items/13/metric' }],
  })
  await expect(patch({ id: 'x', type: 'table' }, { if_version: 1 })).rejects.toMatchObject({
    code: 'version_mismatch',
  })
  await expect(valuesOf(firstReportId, 'nothing')).rejects.toMatchObject({ code: 'report_item_not_found' })
  const { versions, change_count } = await owner.client.call(operations.listBenchReportVersions, {
    bench_report_id: firstReportId,
    compare: '1..2',
  })
  expect(versions.map(({ version, change }) => [version, change])).toEqual([
    [2, 'add /items/-'],
    [1, 'Made with the run'],
  ])
  expect(change_count).toBe(1)
  const back = await owner.client.call(operations.patchBenchReport, {
    bench_report_id: firstReportId,
    restore_version: 1,
  })
  expect(back.bench_report).toMatchObject({ version: 3, item_count: 12 })
})

test('a template keeps the items, and other reports are made of it', async () => {
  const { template } = await owner.client.call(operations.saveReportTemplate, {
    bench_report_id: firstReportId,
    name: 'Ours',
  })
  const { templates } = await owner.client.call(operations.listReportTemplates, { project_id: projectId })
  expect(templates).toEqual([template])
  const create = { project_id: projectId, name: 'From ours', template_id: template.id }
  const { bench_report: report } = await owner.client.call(operations.createReport, {
    ...create,
    bench_result_ids: [secondId],
  })
  expect(report).toMatchObject({ item_count: template.item_count, bench_result_ids: [secondId] })
  await expect(owner.client.call(operations.createReport, create)).rejects.toMatchObject({
    code: 'invalid_input',
  })
  await expect(
    owner.client.call(operations.createReport, { ...create, bench_result_ids: [secondId] }),
  ).rejects.toMatchObject({ code: 'conflict' })
  await owner.client.call(operations.deleteReportTemplate, { template_id: template.id })
  const left = await owner.client.call(operations.listReportTemplates, { project_id: projectId })
  expect(left.templates).toEqual([])
})

test('nobody else sees them', async () => {
  const stranger = await signUp('Stranger')
  await expect(
    stranger.client.call(operations.getBenchReport, { bench_report_id: firstReportId }),
  ).rejects.toMatchObject({ code: 'bench_report_not_found' })
  await expect(
    stranger.client.call(operations.updateBenchResult, { bench_result_id: firstId, name: 'Mine' }),
  ).rejects.toMatchObject({ code: 'bench_result_not_found' })
  const { project } = await stranger.client.call(operations.createProject, {
    workspace_id: stranger.workspaceId,
    name: 'Elsewhere',
  })
  await expect(
    stranger.client.call(operations.createReport, { project_id: project.id, bench_result_ids: [firstId] }),
  ).rejects.toMatchObject({ code: 'bench_result_not_found' })
})

test('what is of a run that was deleted says so, and the rest stays', async () => {
  const { bench_report: report } = await owner.client.call(operations.createReport, {
    project_id: projectId,
    name: 'Of both',
    bench_result_ids: [firstId, secondId],
  })
  await owner.client.call(operations.deleteBenchResult, { bench_result_id: firstId })
  const { runs } = await owner.client.call(operations.getBenchReport, { bench_report_id: report.id })
  expect(runs).toMatchObject([null, { id: secondId }])
  await expect(valuesOf(firstReportId, 'summary')).rejects.toMatchObject({
    code: 'bench_result_not_found',
    message: expect.stringContaining(`The run ${firstId} was deleted`),
  })
  const { runs: left } = await valuesAs('comparison', report.id)
  expect(left.map(({ id }) => id)).toEqual([secondId])
  const chart = await valuesAs('chart', report.id, 'response-times')
  expect([chart.lines.map(({ name }) => name), chart.runs_left_out]).toEqual([['p95, After'], 1])
  // Such a report can still be changed, and freed of the run.
  const patched = await owner.client.call(operations.patchBenchReport, {
    bench_report_id: report.id,
    patch: [{ op: 'replace', path: '/description', value: 'One is gone' }],
  })
  expect(patched.bench_report.description).toBe('One is gone')
  await owner.client.call(operations.deleteBenchReport, { bench_report_id: report.id })
  await expect(
    owner.client.call(operations.getBenchReport, { bench_report_id: report.id }),
  ).rejects.toMatchObject({ code: 'bench_report_not_found' })
  const { bench_report: back } = await owner.client.call(operations.restoreBenchReport, {
    bench_report_id: report.id,
  })
  expect(back).toMatchObject({ id: report.id, description: 'One is gone' })
  const again = await owner.client.call(operations.getBenchReport, { bench_report_id: report.id })
  expect(again.bench_report.version).toBe(back.version)
})
