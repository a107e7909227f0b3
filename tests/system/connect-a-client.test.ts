import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { operations } from '@flamegate/contract'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, fillLogIn, keepScreenshot } from './browser.ts'
import { listenForRedirect, MemoryOAuthProvider } from './oauth-client.ts'
import { logIn, platform, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/**
 * The path of somebody new: a real browser signs up, uploads are made, and both official MCP clients find the
 * server, register, send the person through log-in and consent, and answer from what was uploaded.
 */

const email = `newcomer-${process.pid}-${Date.now()}@example.com`
const password = 'a long enough password'
let browser: Browser
let projectId: string
let newcomer: Person

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function newPage(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  return { context, page }
}

test('somebody signs up in a browser and lands in an empty workspace that tells what to do next', async () => {
  const { context, page } = await newPage()
  await page.goto(`${platform().url}/sign-up`)
  await page.getByLabel('Name').fill('Newcomer')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: /sign up|create account/i }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-up'))
  await page
    .getByRole('link', { name: /connect/i })
    .first()
    .waitFor()
  await keepScreenshot(page, 'after-sign-up')
  await context.close()

  newcomer = await logIn(email, password)
  const created = await newcomer.client.call(operations.createProject, {
    workspace_id: newcomer.workspaceId,
    name: 'First',
  })
  projectId = created.project.id
  const submit = (branch: string, nanoseconds: number) =>
    newcomer.client.call(operations.submitBenchmarkResults, {
      repository: projectId,
      branch,
      commit_hash: 'abcdef1',
      results: Array.from(
        { length: 8 },
        (_, round) => `BenchmarkParse-2 1000 ${nanoseconds + round} ns/op\n`,
      ).join(''),
    })
  await submit('main', 500)
  const head = await submit('feat/x', 900)
  const upload = await newcomer.client.call(operations.createProfileUpload, {
    project_id: projectId,
    file_name: 'stacks.txt',
    type: 'cpu',
    run_id: head.run.id,
    benchmark: head.benchmarks[0],
    content: 'main;parse;readToken 60\nmain;parse 30\nmain;print 10\n',
  })
  await waitForTask(newcomer, upload.task_id)
})

/** What a person does when a client sends them to the browser. */
async function approve(authorizationUrl: URL, screenshotName: string): Promise<void> {
  const { context, page } = await newPage()
  await page.goto(authorizationUrl.href)
  await fillLogIn(page, email, password)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await keepScreenshot(page, screenshotName)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/callback/)
  await context.close()
}

function createProject() {
  return { name: 'create_project', arguments: { workspace_id: newcomer.workspaceId, name: 'By an agent' } }
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>
}

async function asksWhatChanged(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map((tool) => tool.name)).toEqual(
    expect.arrayContaining(['compare_runs', 'query_flamegraph', 'get_current_user']),
  )

  const me = await client.callTool({ name: 'get_current_user', arguments: {} })
  expect(JSON.stringify(me['structuredContent'])).toContain(email)

  const comparison = await client.callTool({ name: 'compare_runs', arguments: { repository: projectId } })
  expect(comparison['isError']).not.toBe(true)
  const compared = operations.compareRuns.answer.omit({ report: true }).parse(comparison['structuredContent'])
  expect(compared).toMatchObject({ summary: { regressed: 1 } })

  const graph = await client.callTool({ name: 'query_flamegraph', arguments: { run_id: 'latest' } })
  expect(JSON.stringify(graph['content'])).toContain('readToken')
}

/** Each by the name that somebody typed for this machine: the SDKs compare what the server says of itself with that. */
test.each(['127.0.0.1', 'localhost'])(
  'the client of the 1.x SDK connects by OAuth at %s and answers from real data',
  async (host) => {
    const redirect = await listenForRedirect()
    const provider = new MemoryOAuthProvider(redirect.url, 'Legacy client')
    const url = new URL(platform().mcpUrl)
    url.hostname = host
    const client = new ClientV1({ name: 'legacy', version: '1' })
    const first = new TransportV1(url, { authProvider: provider })
    await expect(client.connect(first)).rejects.toThrow(/unauthorized/i)
    const query = redirect.next()
    await approve(provider.lastAuthorizationUrl(), 'consent-legacy-client')
    await first.finishAuth((await query).get('code') ?? '')
    const transport = new TransportV1(url, { authProvider: provider })
    await client.connect(transport)
    await asksWhatChanged(client)

    // This client answers the refusal with a refresh, which brings the same scopes, and says so.
    await expect(client.callTool(createProject())).rejects.toThrow(/403/)
    await client.close()
    redirect.server.close()
  },
)

test('the client of the 2.x SDK connects by OAuth, in the current protocol, and answers from real data', async () => {
  const redirect = await listenForRedirect()
  const provider = new MemoryOAuthProvider(redirect.url, 'Modern client')
  const url = new URL(platform().mcpUrl)
  const options = { versionNegotiation: { mode: 'auto' as const } }
  const first = new TransportV2(url, { authProvider: provider })
  await expect(new ClientV2({ name: 'modern', version: '1' }, options).connect(first)).rejects.toThrow(
    /unauthorized/i,
  )
  const query = redirect.next()
  await approve(provider.lastAuthorizationUrl(), 'consent-modern-client')
  await first.finishAuth(await query)
  const client = new ClientV2({ name: 'modern', version: '1' }, options)
  const transport = new TransportV2(url, { authProvider: provider })
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  await asksWhatChanged(client)

  // Writing was not allowed; the refusal sends the person to the browser once more, for both scopes at once.
  provider.authorizationUrl = undefined
  await expect(client.callTool(createProject())).rejects.toThrow(/unauthorized/i)
  const again = provider.lastAuthorizationUrl()
  expect(again.searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['read', 'write']))
  const secondQuery = redirect.next()
  await approve(again, 'consent-step-up')
  await transport.finishAuth(await secondQuery)
  expect((await client.callTool(createProject())).isError).not.toBe(true)
  await client.close()
  redirect.server.close()
})

test('a connected app shows up, and is cut off at once', async () => {
  const redirect = await listenForRedirect()
  const provider = new MemoryOAuthProvider(redirect.url, 'Short-lived client')
  const url = new URL(platform().mcpUrl)
  const client = new ClientV1({ name: 'short', version: '1' })
  const first = new TransportV1(url, { authProvider: provider })
  await expect(client.connect(first)).rejects.toThrow(/unauthorized/i)
  const query = redirect.next()
  await approve(provider.lastAuthorizationUrl(), 'consent-short-lived-client')
  await first.finishAuth((await query).get('code') ?? '')
  redirect.server.close()
  const { access_token: accessToken, refresh_token: refreshToken } = provider.tokens() ?? {}
  expect(refreshToken).toBeTypeOf('string')

  const ping = () =>
    fetch(platform().mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  expect((await ping()).status).toBe(200)
  const { connected_apps: apps } = await newcomer.client.call(operations.listConnectedApps, {})
  const app = apps.find((each) => each.client_name === 'Short-lived client')
  expect(app).toMatchObject({ scopes: ['read'] })
  await newcomer.client.call(operations.revokeConnectedApp, { connected_app_id: app?.id ?? '' })
  await expect.poll(async () => (await ping()).status, { interval: 50 }).toBe(401)
})
