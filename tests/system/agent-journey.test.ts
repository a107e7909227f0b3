import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations, type Operation, type OutputOf } from '@flamegate/contract'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from './browser.ts'
import { apiToken, platform, signUp } from './person.ts'
import { recordShopHar } from './sample-shop/record-shop-har.ts'
import { startSampleShop, type SampleShop } from './sample-shop/start-sample-shop.ts'
import { programEnv } from './program-env.ts'

/**
 * From a recording to a printed report by MCP tools alone, with the official client: what an agent does for somebody who asks
 * how many users their shop takes. Each test goes on where the one before stopped.
 */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const agents: ChildProcess[] = []
let shop: SampleShop
let har: Buffer
let client: Client
let workspaceId: string
let projectId: string
let virtualUserId: string
let benchResultId: string
let benchReportId: string

beforeAll(async () => {
  const browser = await launchBrowser()
  shop = await startSampleShop()
  const path = join(tmpdir(), `flamegate-load-journey-${process.pid}.har`)
  await recordShopHar(browser, shop.url, path)
  har = await readFile(path)
  await Promise.all([rm(path), browser.close()])
  const person = await signUp('Jean')
  workspaceId = person.workspaceId
  const token = await apiToken(person, ['read', 'write', 'run', 'admin'])
  client = new Client({ name: 'an-agent', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(platform().mcpUrl), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
})
afterAll(async () => {
  for (const agent of agents) agent.kill('SIGTERM')
  await client?.close()
  await shop?.stop()
})

/** A tool call, confirmed when that is asked for. */
async function tool<O extends Operation>(operation: O, input: Record<string, unknown>): Promise<OutputOf<O>> {
  const call = async (values: Record<string, unknown>) => {
    const result = await client.callTool({ name: operation.id, arguments: values })
    if (result.isError === true) throw new Error(`${operation.id}: ${JSON.stringify(result.content)}`)
    return z.record(z.string(), z.unknown()).parse(result.structuredContent)
  }
  const first = await call(input)
  const confirm = first['confirmation_token']
  const answer = confirm === undefined ? first : await call({ ...input, confirm })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tools answer what the contract says
  return answer as OutputOf<O>
}

async function untilDone(taskId: string) {
  for (;;) {
    // oxlint-disable no-await-in-loop -- one look after the other
    const { task, next_poll_seconds: seconds } = await tool(operations.getTaskResult, { task_id: taskId })
    if (seconds === null) {
      expect(task.problem).toBeNull()
      return task
    }
    await sleep(200)
    // oxlint-enable no-await-in-loop
  }
}

async function validate() {
  const { validation, task_id } = await tool(operations.validateVirtualUser, {
    virtual_user_id: virtualUserId,
  })
  await untilDone(task_id)
  return tool(operations.getVirtualUserValidationIndex, {
    virtual_user_id: virtualUserId,
    validation_id: validation.id,
  })
}

test('a recording becomes a virtual user that passes its validation', async () => {
  const { project } = await tool(operations.createProject, { workspace_id: workspaceId, name: 'Shop' })
  projectId = project.id
  const { upload, task_id } = await tool(operations.importVirtualUser, {
    project_id: projectId,
    format: 'har',
    file_name: 'shop.har',
    size_bytes: har.length,
    name: 'Buyer',
    think_time_max_ms: 500,
  })
  if (upload === null) throw new Error('An upload was wanted')
  const sent = await fetch(upload.url, {
    method: upload.method,
    headers: { ...upload.headers },
    body: new Uint8Array(har),
  })
  expect(sent.ok).toBe(true)
  await untilDone(task_id)
  const { virtual_users } = await tool(operations.listVirtualUsers, { project_id: projectId })
  virtualUserId = virtual_users[0]?.id ?? ''
  await tool(operations.createVariable, {
    project_id: projectId,
    name: 'password',
    type: 'secret',
    value: 'ann-password',
  })
  expect((await validate()).validation.state).toBe('FAILED')
  await tool(operations.applyCorrelationsToVirtualUser, {
    virtual_user_id: virtualUserId,
    all_suggestions: true,
  })
  expect((await validate()).validation.state).toBe('PASSED')
})

test('50 users ramp up over 30 s on two agents', async () => {
  const { scenario } = await tool(operations.createScenario, {
    project_id: projectId,
    name: 'Sale',
    virtual_user_ids: [virtualUserId],
    load: { type: 'ramp_up', users: 50, ramp_up_ms: 30_000, plateau_ms: 5_000 },
    thresholds: ['error share < 1 %', 'p95 duration < 5 s'],
  })
  const { token } = await tool(operations.getAgentInstallCommand, { workspace_id: workspaceId })
  for (const name of ['one', 'two'])
    agents.push(
      spawn(
        process.execPath,
        [cli, 'agent', '--group', 'default', '--workspace', workspaceId, '--name', name],
        {
          env: { ...programEnv, FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: token },
          stdio: 'ignore',
        },
      ),
    )
  const { checks } = await tool(operations.preflightScenario, { scenario_id: scenario.id })
  expect(checks.filter(({ grade, check }) => grade === 'error' && check !== 'generators')).toEqual([])
  shop.requests.length = 0
  const { bench_result } = await tool(operations.runScenario, {
    scenario_id: scenario.id,
    agents: 2,
    wait_seconds: 600,
  })
  benchResultId = bench_result.id
  for (;;) {
    // oxlint-disable no-await-in-loop -- one look after the other
    const { bench_result: run, next_poll_seconds: seconds } = await tool(operations.getBenchResult, {
      bench_result_id: benchResultId,
      wait_seconds: 20,
    })
    if (seconds === null) {
      expect([run.state, run.is_degraded]).toEqual(['FINISHED', false])
      benchReportId = run.bench_report_id ?? ''
      break
    }
    // oxlint-enable no-await-in-loop
  }
})

test('the report says what the shop saw', async () => {
  const {
    bench_report: report,
    document,
    runs,
  } = await tool(operations.getBenchReport, {
    bench_report_id: benchReportId,
  })
  expect(runs.map((run) => run?.id)).toEqual([benchResultId])
  const { items } = z.object({ items: z.array(z.object({ id: z.string() })) }).parse(document)
  expect(items).toHaveLength(report.item_count)
  for (const { id } of items) {
    // oxlint-disable-next-line no-await-in-loop -- as an agent reads it
    const { values } = await tool(operations.getReportItemValues, {
      bench_report_id: benchReportId,
      item_id: id,
    })
    if (values.type === 'table') {
      const orders = values.rows.find(({ name }) => name === 'POST /api/orders')
      const { requests } = shop
      const stored = requests.filter(({ path, status }) => path === '/api/orders' && status === 201).length
      expect(stored).toBeGreaterThan(50)
      expect((orders?.count ?? 0) - (orders?.failed ?? 0)).toBe(stored)
    }
    if (values.type === 'generators') expect(values.generators).toHaveLength(2)
    if (values.type === 'errors') expect(values.errors).toEqual([])
    // How quick the shop is depends on the machine. Each is told by what was measured.
    if (values.type === 'thresholds') {
      const [errors, latency] = values.thresholds
      expect(values.thresholds).toHaveLength(2)
      expect(errors).toMatchObject({ state: 'passed', value: 0 })
      expect(latency?.state).toBe(Number(latency?.value) < 5000 ? 'passed' : 'breached')
    }
  }
  const { insights } = await tool(operations.getReportInsights, { bench_report_id: benchReportId })
  expect(insights.length).toBeGreaterThan(0)
  for (const { evidence } of insights) expect(evidence.length).toBeGreaterThan(0)
})

test('and is printed', async () => {
  const { task_id } = await tool(operations.exportBenchReportPdf, { bench_report_id: benchReportId })
  const { result } = await untilDone(task_id)
  const { file_id } = z.object({ file_id: z.string() }).parse(result)
  const { download, name } = await tool(operations.downloadFile, { file_id })
  const bytes = Buffer.from(await (await fetch(download.url)).arrayBuffer())
  expect(name).toMatch(/\.pdf$/)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
})
