import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations, type Operation, type OutputOf } from '@flamegate/contract'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from './browser.ts'
import { callAndConfirm } from './calls.ts'
import { apiToken, signUp, type Person } from './person.ts'
import {
  shopCurl,
  shopJmx,
  shopOpenApi,
  shopPlaywright,
  shopPlaywrightPython,
  shopPostman,
  shopSide,
  shopUrls,
  shopWebdriver,
} from './sample-shop/shop-sources.ts'
import { recordShopHar } from './sample-shop/record-shop-har.ts'
import { startSampleShop, type SampleShop } from './sample-shop/start-sample-shop.ts'

let browser: Browser
let shop: SampleShop
let har: Buffer
let ada: Person
let token: string
let projectId: string

beforeAll(async () => {
  browser = await launchBrowser()
  shop = await startSampleShop()
  const path = join(tmpdir(), `flamegate-shop-${process.pid}.har`)
  await recordShopHar(browser, shop.url, path)
  har = await readFile(path)
  await rm(path)
  ada = await signUp('Ada')
  token = await apiToken(ada, ['read', 'write', 'run'])
  const created = await tool(operations.createProject, { workspace_id: ada.workspaceId, name: 'Load' })
  projectId = created.project.id
})

afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

/** As an agent does: a tool call, confirmed when that is asked for. */
async function tool<O extends Operation>(operation: O, input: Record<string, unknown>): Promise<OutputOf<O>> {
  const outcome = await callAndConfirm(operation, input, { token })
  if (outcome.answer === undefined || outcome.code !== undefined)
    throw new Error(`${operation.id}: ${outcome.code} ${outcome.text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tools answer what the contract says
  return outcome.answer as OutputOf<O>
}

async function untilDone(taskId: string) {
  for (;;) {
    const { task, next_poll_seconds } = await tool(operations.getTaskResult, { task_id: taskId })
    if (next_poll_seconds === null) return task
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function importFile(
  format: string,
  bytes: Buffer,
  options: Record<string, unknown> = {},
): Promise<string> {
  const { upload, task_id } = await tool(operations.importVirtualUser, {
    project_id: projectId,
    format,
    file_name: `shop.${format}`,
    size_bytes: bytes.length,
    ...options,
  })
  if (upload === null) throw new Error('An upload was wanted')
  const sent = await fetch(upload.url, {
    method: upload.method,
    headers: { ...upload.headers },
    body: new Uint8Array(bytes),
  })
  expect(sent.status).toBeLessThan(300)
  const task = await untilDone(task_id)
  expect(task.problem).toBeNull()
  const { virtual_users } = await tool(operations.listVirtualUsers, { project_id: projectId })
  return virtual_users[0]?.id ?? ''
}

async function validate(virtualUserId: string, iterations = 1) {
  const { validation, task_id } = await tool(operations.validateVirtualUser, {
    virtual_user_id: virtualUserId,
    iterations,
  })
  await untilDone(task_id)
  return tool(operations.getVirtualUserValidationIndex, {
    virtual_user_id: virtualUserId,
    validation_id: validation.id,
    limit: 100,
  })
}

describe('a recording of a real browser, by tools alone', () => {
  let virtualUserId: string

  test('is imported, and the password is a secret that has to be given', async () => {
    virtualUserId = await importFile('har', har, { name: 'Shop', think_time_max_ms: 0 })
    const { virtual_user } = await tool(operations.getVirtualUser, { virtual_user_id: virtualUserId })
    expect(virtual_user.request_count).toBeGreaterThan(5)
    const { document } = await ada.client.call(operations.getVirtualUserDocument, {
      virtual_user_id: virtualUserId,
    })
    expect(document['actions']).toMatchObject(
      ['Shop', 'Log in', 'Catalog', 'Order {id}', 'POST /orders/{id}/attachments'].map((name) => ({
        type: 'container',
        name,
      })),
    )
    const { variables } = await tool(operations.listVariables, { project_id: projectId })
    const secret = variables.find(({ type }) => type === 'secret')
    expect(secret?.name).toBe('password')
    await tool(operations.createVariable, {
      project_id: projectId,
      name: 'password',
      type: 'secret',
      value: 'ann-password',
    })
  })

  test('fails when it is replayed as it is, and says which value is the likely cause', async () => {
    const found = await validate(virtualUserId)
    expect(found.validation.state).toBe('FAILED')
    expect(found.causes.length).toBeGreaterThan(0)
    const failed = found.actions.filter(({ outcome }) => outcome === 'failed')
    expect(
      failed.map(({ name, status }) => `${name.replace(/ord_\w+/, 'ID')} ${status ?? ''}`.trim()),
    ).toEqual([
      'POST /login 403',
      'POST /api/session 401',
      'POST /api/orders 409',
      'connect /live 403',
      'send /live',
      'expect /live',
      'close /live',
      'Catalog',
      // Both were led to the login page, which answered 200.
      'GET /orders/ID 200',
      'Order {id}',
      'POST /orders/ID/attachments 200',
      'POST /orders/{id}/attachments',
    ])
    expect(failed.find(({ name }) => name === 'Order {id}')?.failure).toBe('1 of 1 actions in it failed.')
    expect(found.causes.find(({ cause }) => cause === 'redirected')).toMatchObject({
      count: 2,
      words:
        'It was redirected (302) to /login, where 200 was recorded without a redirect: that may be the login page.',
    })
    expect(found.likely_values.length).toBeGreaterThan(0)
  })

  test('passes after the correlations that were found are applied', async () => {
    const { suggestions } = await tool(operations.suggestCorrelations, { virtual_user_id: virtualUserId })
    expect(suggestions.map(({ variable }) => variable)).toContain('csrf_token')
    const applied = await tool(operations.applyCorrelationsToVirtualUser, {
      virtual_user_id: virtualUserId,
      all_suggestions: true,
    })
    expect(applied.applied.length).toBeGreaterThan(2)
    const found = await validate(virtualUserId, 2)
    expect(found.actions.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(found.validation).toMatchObject({ state: 'PASSED', failed: 0 })
  })

  test('the last validation is a HAR of what was sent, without the password', async () => {
    const { download } = await tool(operations.exportVirtualUser, {
      virtual_user_id: virtualUserId,
      format: 'har',
    })
    const text = await (await fetch(download.url)).text()
    const { log } = z
      .object({ log: z.object({ entries: z.array(z.object({ request: z.object({ url: z.string() }) })) }) })
      .parse(JSON.parse(text))
    expect(log.entries.map(({ request }) => request.url)).toContain(`${shop.url}/api/orders`)
    expect(text).not.toContain('ann-password')
  })
})

describe('the same shop, from other sources', () => {
  test.each([
    ['jmx', shopJmx, 6],
    ['postman', shopPostman, 6],
    ['playwright', shopPlaywright, 1],
    ['playwright', shopPlaywrightPython, 1],
    ['side', shopSide, 1],
    ['webdriver', shopWebdriver, 2],
    ['openapi', shopOpenApi, 10],
    ['curl', shopCurl, 2],
    ['urls', shopUrls, 7],
  ])('%s is imported and validated', async (format, source, actions) => {
    const project = await tool(operations.createProject, {
      workspace_id: ada.workspaceId,
      name: `From ${format} ${source.name}`,
    })
    projectId = project.project.id
    const { task_id } = await tool(operations.importVirtualUser, {
      project_id: projectId,
      format,
      content: source(shop.url),
    })
    const task = await untilDone(task_id)
    expect(task.problem).toBeNull()
    const report = await ada.client.call(operations.getImportReport, { task_id, limit: 1000 })
    expect(report.read).toBe(report.mapped + report.approximated + report.dropped)
    expect(report.elements).toHaveLength(report.read)
    await giveSecrets()
    for (const { note } of report.elements) {
      const [, path] = /Upload what it sends as (\S+)\.$/.exec(note ?? '') ?? []
      if (path === undefined) continue
      // oxlint-disable-next-line no-await-in-loop -- there is one at most
      await untilDone(
        (await tool(operations.uploadProjectFile, { project_id: projectId, path, content: 'Paid' })).task_id,
      )
    }
    const { virtual_users } = await tool(operations.listVirtualUsers, { project_id: projectId })
    expect(virtual_users).toHaveLength(1)
    const found = await validate(virtual_users[0]?.id ?? '')
    expect(found.actions.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(found.validation.state).toBe('PASSED')
    expect(found.validation.passed).toBeGreaterThanOrEqual(actions)
  })
})

/** Secrets that an import asks for: of this API a bearer token, which a person would get by logging in. */
async function giveSecrets(): Promise<void> {
  const { variables } = await tool(operations.listVariables, { project_id: projectId })
  for (const { name, type } of variables) {
    if (type !== 'secret') continue
    const value = name === 'password' ? 'ann-password' : shop.bearerOf('ann')
    await tool(operations.createVariable, { project_id: projectId, name, type, value })
  }
}
