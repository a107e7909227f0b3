import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { operations } from '@flamegate/contract'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { startTestIssuer, type TestIssuer } from '../../apps/gateway/src/accounts/elsewhere/test-issuer.ts'
import { axeOn, rulesOfColours } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { startDnsServer, type DnsServer } from './dns-server.ts'
import { listenForRedirect, MemoryOAuthProvider } from './oauth-client.ts'
import { platform, signUp, signUpAs, type Person } from './person.ts'

/** Single sign-on of a workspace: a real provider, a real name server, and the pages in a real browser. */

const domain = `acme-${process.pid}-${Date.now()}.example`
const addressOf = (name: string) => `${name}@${domain}`

let browser: Browser
let dns: DnsServer
let owner: Person
let issuer: TestIssuer
let slug: string

beforeAll(async () => {
  ;[browser, dns, owner] = await Promise.all([
    launchBrowser(),
    startDnsServer(inject('dnsPort')),
    signUp('Owner'),
  ])
  const { workspaces } = await owner.client.call(operations.listWorkspaces, {})
  slug = workspaces.find(({ id }) => id === owner.workspaceId)?.slug ?? ''
  issuer = await startTestIssuer(`${platform().url}/auth/sso/${owner.workspaceId}/callback`)
})
afterAll(async () => {
  await issuer?.close()
  dns?.close()
  await browser?.close()
})

async function openBrowser(person?: Person): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  onTestFinished(() => context.close())
  const { url } = platform()
  const cookies = (person?.cookie ?? '').split('; ').filter((cookie) => cookie !== '')
  await context.addCookies(
    cookies.map((cookie) => {
      const [name = '', value = ''] = cookie.split('=', 2)
      return { name, value, url }
    }),
  )
  return context.newPage()
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Presses, and waits until it was taken in or refused. */
async function save(page: Page, name: string): Promise<void> {
  const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
  await press(page, name)
  await answer
}

/** Whoever sits at the provider's browser from now on. */
function sitDown(name: string): void {
  issuer.account = { sub: `${name}-there`, email: addressOf(name), email_verified: true, name }
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  await keepScreenshot(page, name)
  const faults = async (rules?: string[]) => {
    const look = axeOn(page)
    const { violations } = await (rules === undefined ? look : look.withRules(rules)).analyze()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }
  expect(await faults()).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 900 })
  expect(await faults(rulesOfColours)).toEqual([])
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
  await keepScreenshot(page, `${name}-dark-narrow`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** By one's address, from the log-in page. */
async function comeIn(page: Page, name: string): Promise<void> {
  await press(page, 'Use single sign-on')
  // The page before has such a field, too.
  await page.getByRole('heading', { name: 'Single sign-on' }).waitFor()
  await page.getByLabel('Email').fill(addressOf(name))
  await press(page, 'Continue')
}

const isRoot = (url: URL) => url.pathname === '/'

test('an owner proves a domain and sets the provider; a colleague comes in by it; it becomes the only way in', async () => {
  const { url } = platform()
  const settings = await openBrowser(owner)
  await settings.goto(`${url}/workspaces/${owner.workspaceId}/settings`)
  await settings.getByRole('link', { name: 'Set up single sign-on' }).click()

  // The domain: told where the token goes, looked for in vain, and found.
  await settings.getByLabel('Domain', { exact: true }).fill(domain)
  await press(settings, 'Add the domain')
  await press(settings, `Check ${domain}`)
  await settings.getByText('There is no TXT record').waitFor()
  const token = await settings.getByRole('textbox', { name: 'Value' }).inputValue()
  await expectAccessible(settings, 'sso-domain')
  dns.records.set(`_flamegate-sso.${domain}`, token)
  await press(settings, `Check ${domain}`)
  await settings.getByText('proved by DNS').waitFor()

  // The provider: a wrong secret is found by the test.
  await settings.getByLabel('Issuer').fill(issuer.issuer)
  await settings.getByLabel('Client ID').fill(issuer.clientId)
  await settings.getByLabel('Client secret').fill('not the secret')
  await save(settings, 'Save')
  await press(settings, 'Test the connection')
  await settings.getByText('Client: wrong').waitFor()
  await settings.getByLabel('Client secret').fill(issuer.clientSecret)
  await save(settings, 'Save')
  await press(settings, 'Test the connection')
  await settings.getByText('Clock: ok').waitFor()
  // Nobody can close the other ways before this one is seen to be open.
  await settings.getByText('Members with an address of these domains').click()
  await save(settings, 'Save the requirement')
  await settings.getByText('Nobody has logged in with this issuer and client yet.').waitFor()
  await expectAccessible(settings, 'sso-settings')

  // A colleague, whom nobody invited.
  sitDown('bea')
  const bea = await openBrowser()
  await bea.goto(`${url}/log-in`)
  await bea.getByRole('button', { name: 'Use single sign-on' }).waitFor()
  await comeIn(bea, 'bea')
  await bea.waitForURL(isRoot)
  const { members } = await owner.client.call(operations.listWorkspaceMembers, {
    workspace_id: owner.workspaceId,
  })
  expect(members.find(({ email }) => email === addressOf('bea'))).toMatchObject({
    name: 'bea',
    role: 'member',
  })

  // Another, who has a password, and is invited.
  const invited = await owner.client.call(operations.setWorkspaceMember, {
    workspace_id: owner.workspaceId,
    email: addressOf('cid'),
    role: 'viewer',
  })
  const secret = new URL(invited.invitation_url ?? '').searchParams.get('token') ?? ''
  const cid = await signUpAs(url, 'Cid', addressOf('cid'), secret)
  const page = await openBrowser(cid)
  await settings.reload()
  await settings.getByText('Members with an address of these domains').click()
  await save(settings, 'Save the requirement')

  // The session of before counts no more, the password leads to the provider, and the provider to the same account.
  await page.goto(`${url}/settings/account`)
  await page.waitForURL(({ pathname }) => pathname === '/log-in')
  await fillLogIn(page, cid.email, cid.password)
  await page.getByText('Your workspace wants you to log in with single sign-on').waitFor()
  await expectAccessible(page, 'sso-required')
  sitDown('cid')
  await page.getByRole('link', { name: 'Log in with single sign-on' }).click()
  await expectAccessible(page, 'sso-sign-in')
  await press(page, 'Continue')
  await page.waitForURL(({ pathname }) => pathname === '/settings/account')
  await page.getByText(cid.email).first().waitFor()
  const { members: after } = await owner.client.call(operations.listWorkspaceMembers, {
    workspace_id: owner.workspaceId,
  })
  expect(after.find(({ email }) => email === cid.email)).toMatchObject({ role: 'viewer' })

  // The owner sees who came, and whom the provider vouched for in vain.
  issuer.account = { ...issuer.account, sub: 'x', email: 'somebody@elsewhere.example' }
  const stranger = await openBrowser()
  await stranger.goto(`${url}/sign-in/sso/${slug}`)
  await press(stranger, 'Continue')
  await stranger.getByText('a domain that this workspace has not proved').waitFor()
  const told = async () => {
    const { events } = await owner.client.call(operations.searchAuditLog, {
      workspace_id: owner.workspaceId,
      limit: 100,
    })
    return JSON.stringify(events)
  }
  await expect.poll(told).toContain('sso_domain_not_proved')
  expect(await told()).toContain('set_sso')
  expect(await told()).not.toContain(issuer.clientSecret)
})

const newClient = () =>
  new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' as const } })

test('an MCP client’s log-in goes by the provider, too', async () => {
  sitDown('bea')
  const redirect = await listenForRedirect()
  onTestFinished(() => void redirect.server.close())
  const authProvider = new MemoryOAuthProvider(redirect.url, 'Agent of Bea')
  const transport = () => new StreamableHTTPClientTransport(new URL(platform().mcpUrl), { authProvider })
  const first = transport()
  await expect(newClient().connect(first)).rejects.toThrow(/unauthorized/i)
  const query = redirect.next()
  const page = await openBrowser()
  await page.goto(authProvider.lastAuthorizationUrl().href)
  await comeIn(page, 'bea')
  await page.getByRole('button', { name: 'Allow' }).click()
  await first.finishAuth(await query)
  const client = newClient()
  onTestFinished(() => client.close())
  await client.connect(transport())
  const { structuredContent } = await client.callTool({ name: 'list_workspaces', arguments: {} })
  const { workspaces } = operations.listWorkspaces.output.parse(structuredContent)
  expect(workspaces.map(({ id }) => id)).toContain(owner.workspaceId)
})

test('another workspace does not get the domain, and owners alone set it up', async () => {
  const other = await signUp('Other')
  const call = { workspace_id: other.workspaceId, domain }
  const { domain: added } = await other.client.call(operations.verifySsoDomain, call)
  expect(added.is_verified).toBe(false)
  // Even with its token in the same DNS.
  dns.records.set(`_flamegate-sso.${domain}`, added.token)
  await expect(other.client.call(operations.verifySsoDomain, call)).rejects.toMatchObject({
    code: 'conflict',
  })
  await expect(
    other.client.call(operations.getSso, { workspace_id: owner.workspaceId }),
  ).rejects.toMatchObject({ code: 'workspace_not_found' })
  for (const address of ['http://10.0.0.1', 'http://login.example', 'https://user:secret@login.example'])
    await expect(
      other.client.call(operations.setSso, {
        workspace_id: other.workspaceId,
        issuer: address,
        client_id: 'c',
        client_secret: 's',
      }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  // An address within the network is not asked, whatever the scheme.
  await other.client.call(operations.setSso, {
    workspace_id: other.workspaceId,
    issuer: 'https://10.0.0.1',
    client_id: 'c',
    client_secret: 's',
  })
  const { checks } = await other.client.call(operations.testSso, { workspace_id: other.workspaceId })
  expect(checks).toEqual([
    expect.objectContaining({
      check: 'issuer',
      is_ok: false,
      detail: expect.stringContaining('may not be called'),
    }),
  ])
  // A secret that was set for one provider is not sent to another.
  await expect(
    other.client.call(operations.setSso, {
      workspace_id: other.workspaceId,
      issuer: 'https://evil.example',
      client_id: 'c',
    }),
  ).rejects.toMatchObject({ code: 'invalid_input' })
  const answer = await other.client.call(operations.getSso, { workspace_id: other.workspaceId })
  expect(JSON.stringify(answer)).not.toContain('secret')
})
