import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { listenForRedirect, MemoryOAuthProvider } from './oauth-client.ts'
import { apiToken, invite, platform, signUp, type Person } from './person.ts'

/** What a person leaves a client, from the page where they decide to what the client can then reach. */

let browser: Browser
let person: Person
let workspaceName: string

beforeAll(async () => {
  browser = await launchBrowser()
  const host = await signUp('Host')
  person = await invite(host, 'member', 'Guest')
  // The guest's own, and the host's.
  const { workspaces } = await person.client.call(operations.listWorkspaces, {})
  workspaceName = workspaces.find(({ id }) => id === person.workspaceId)?.name ?? ''
})
afterAll(() => browser?.close())

async function openPage(): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return context.newPage()
}

/** Connects as far as the consent page, which `decide` answers; gives a client that has tokens. */
async function connect(name: string, page: Page, decide: () => Promise<void>) {
  const redirect = await listenForRedirect()
  const authProvider = new MemoryOAuthProvider(redirect.url, name)
  const first = transport(authProvider)
  await expect(newClient().connect(first)).rejects.toThrow(/unauthorized/i)
  const query = redirect.next()
  await page.goto(authProvider.lastAuthorizationUrl().href)
  if (new URL(page.url()).pathname === '/log-in') await fillLogIn(page, person.email, person.password)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await decide()
  await first.finishAuth(await query)
  redirect.server.close()
  const client = newClient()
  await client.connect(transport(authProvider))
  onTestFinished(() => client.close())
  return { client, authorizationUrl: authProvider.lastAuthorizationUrl() }
}

const newClient = () =>
  new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' as const } })

const transport = (authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(platform().mcpUrl), { authProvider })

async function workspacesOf(client: Client): Promise<string[]> {
  const { structuredContent } = await client.callTool({ name: 'list_workspaces', arguments: {} })
  return operations.listWorkspaces.output.parse(structuredContent).workspaces.map(({ id }) => id)
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await axeOn(page).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([])
  await page.setViewportSize({ width: 400, height: 800 })
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
}

test('a client is left one workspace, one toolset and only reading, and sees no more than that', async () => {
  const page = await openPage()
  const { client, authorizationUrl } = await connect('Narrow client', page, async () => {
    await page.getByText('Only reading').click()
    await page.getByText('All my workspaces').click()
    await page.getByRole('group', { name: 'Workspaces' }).getByText(workspaceName).click()
    await page.getByText('All toolsets').click()
    await page
      .getByRole('group', { name: 'Toolsets' })
      .getByRole('checkbox', { name: /^Workspace / })
      .press('Space')
    await page.getByText('More than it asks for').click()
    await keepScreenshot(page, 'consent-choices')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Allow' }).click()
  })
  expect(await workspacesOf(client)).toEqual([person.workspaceId])

  const { connected_apps } = await person.client.call(operations.listConnectedApps, {})
  const app = connected_apps.find(({ client_name }) => client_name === 'Narrow client')
  expect(app).toMatchObject({
    scopes: ['read'],
    verified_domain: null,
    workspace_ids: [person.workspaceId],
    toolsets: ['workspace'],
    read_only: true,
  })

  await page.waitForURL(/\/callback\?/)
  // It comes back for more: the page remembers, and says that only reading stands in the way.
  authorizationUrl.searchParams.set('scope', 'read write')
  await page.goto(authorizationUrl.href)
  await page.getByText('Last time you let it only read.').waitFor()
  await expect.poll(() => page.getByRole('checkbox', { name: /^Only reading/ }).isChecked()).toBe(true)
  await expect.poll(() => page.getByRole('checkbox', { name: workspaceName }).isChecked()).toBe(true)
  await keepScreenshot(page, 'consent-step-up-read-only')
})

test('without a choice the page refuses, and says which one', async () => {
  const page = await openPage()
  await connect('Undecided client', page, async () => {
    await page.getByText('All my workspaces').click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Choose at least one workspace.').waitFor()
    await page.getByText('All my workspaces').click()
    await page.getByRole('button', { name: 'Allow' }).click()
  })
})

test('what a client did not ask for can be given at once', async () => {
  const page = await openPage()
  const { client } = await connect('Client that cannot ask again', page, async () => {
    await page.getByText('More than it asks for').click()
    await page.getByText(/^Create and change projects/).click()
    await page.getByRole('button', { name: 'Allow' }).click()
  })
  const made = await client.callTool({
    name: 'create_project',
    arguments: { workspace_id: person.workspaceId, name: 'Made at once' },
  })
  expect(made.isError).not.toBe(true)
})

test('a connected app is looked at, changed and cut off on its page', async () => {
  const page = await openPage()
  const { client } = await connect('Looked-at client', page, async () => {
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/\/callback/)
  })
  expect(await workspacesOf(client)).toHaveLength(2)

  await page.goto(`${platform().url}/connected-apps`)
  await page.getByRole('link', { name: 'Looked-at client' }).click()
  await page.getByText('All my workspaces').click()
  await page.getByRole('group', { name: 'Workspaces' }).getByText(workspaceName).click()
  await keepScreenshot(page, 'connected-app')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const listed = async () =>
    (await person.client.call(operations.listConnectedApps, {})).connected_apps.find(
      ({ client_name }) => client_name === 'Looked-at client',
    )
  expect(await listed()).toMatchObject({ workspace_ids: [person.workspaceId] })

  await page.getByRole('button', { name: 'Revoke access' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.waitForURL(/\/connected-apps$/)
  expect(await listed()).toBeUndefined()
  await expect(workspacesOf(client)).rejects.toThrow(/grant/i)
})

test('flamegate login is allowed in a browser, acts as the person, and flamegate logout ends it', async () => {
  const { url } = platform()
  const config = await mkdtemp(join(tmpdir(), 'flamegate-login-'))
  onTestFinished(() => rm(config, { recursive: true }))
  const env = { ...process.env, XDG_CONFIG_HOME: config, FLAMEGATE_TOKEN: '', FLAMEGATE_URL: '' }
  const run = (...args: string[]) => {
    const main = join(import.meta.dirname, '../../apps/cli/src/main.ts')
    return spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  const login = run('login', '--url', url)
  const [shown]: Buffer[] = await once(login.stdout, 'data')
  const address = /http\S+\/device\?user_code=(?<code>\S+)/.exec(String(shown))
  const page = await openPage()
  await page.goto(address?.[0] ?? '')
  await fillLogIn(page, person.email, person.password)
  await expect.poll(() => page.getByLabel('Code').inputValue()).toBe(address?.groups?.['code'])
  await keepScreenshot(page, 'device-code')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await keepScreenshot(page, 'device-decision')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('It is logged in').first().waitFor()
  expect(await endOf(login)).toMatchObject({ exitCode: 0 })

  expect(await endOf(run('whoami'))).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining(person.email),
  })
  expect(await endOf(run('logout'))).toMatchObject({ exitCode: 0 })
  expect(await endOf(run('whoami'))).toMatchObject({ exitCode: 2 })
  const { connected_apps } = await person.client.call(operations.listConnectedApps, {})
  expect(connected_apps.map(({ client_id }) => client_id)).not.toContain('flamegate-cli')
})

async function endOf(child: ChildProcess): Promise<{ exitCode: number | null; out: string }> {
  let out = ''
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  if (child.exitCode === null) await once(child, 'close')
  return { exitCode: child.exitCode, out }
}

test('a machine connects with an API token as client credentials, through the official client', async () => {
  const { secret, api_token } = await person.client.call(operations.createApiToken, {
    workspace_id: person.workspaceId,
    name: 'Nightly',
    scopes: ['read', 'write'],
  })
  const authProvider = new ClientCredentialsProvider({
    clientId: api_token.id,
    clientSecret: secret,
    expectedIssuer: platform().url,
  })
  const client = newClient()
  await client.connect(transport(authProvider))
  onTestFinished(() => client.close())
  expect(authProvider.tokens()?.access_token).not.toBe(secret)
  expect(await workspacesOf(client)).toEqual([person.workspaceId])
  const made = await client.callTool({
    name: 'create_project',
    arguments: { workspace_id: person.workspaceId, name: 'Made by a machine' },
  })
  expect(made.isError).not.toBe(true)

  await person.client.call(operations.revokeApiToken, { api_token_id: api_token.id })
  await expect(workspacesOf(client)).rejects.toThrow(/client/i)
})

test('an access token of one machine is none for another workspace', async () => {
  const secret = await apiToken(person, ['read'])
  const { api_tokens } = await person.client.call(operations.listApiTokens, {
    workspace_id: person.workspaceId,
  })
  const response = await fetch(`${platform().url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: api_tokens[0]?.id ?? '',
      client_secret: secret,
      resource: `${platform().url}/v1`,
    }),
  })
  const { access_token: token } = JSON.parse(await response.text())
  const answer = await fetch(`${platform().url}/v1/workspaces`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { workspaces } = operations.listWorkspaces.output.parse(await answer.json())
  expect(workspaces.map(({ id }) => id)).toEqual([person.workspaceId])
})
