import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { startTestIssuer, type TestIssuer } from '../../apps/gateway/src/accounts/elsewhere/test-issuer.ts'
import { fillLogIn, launchBrowser, openSettled } from './browser.ts'
import { expectAccessible, openPageOf, tabTo, waitForFocus } from './dialogs.ts'
import { startDnsServer, type DnsServer } from './dns-server.ts'
import { hasGlewlwyd, startGlewlwyd } from './glewlwyd.ts'
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
  const page = await openPageOf(browser, person)
  onTestFinished(() => page.context().close())
  return page
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

/** By one's address, from the log-in page. */
async function comeIn(page: Page, email: string): Promise<void> {
  await press(page, 'Use single sign-on')
  // The page before has such a field, too.
  await page.getByRole('heading', { name: 'Single sign-on' }).waitFor()
  await page.getByLabel('E-mail address').fill(email)
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
  await comeIn(bea, addressOf('bea'))
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
  await comeIn(page, addressOf('bea'))
  await page.getByRole('button', { name: 'Allow' }).click()
  await first.finishAuth(await query)
  const client = newClient()
  onTestFinished(() => client.close())
  await client.connect(transport())
  const { structuredContent } = await client.callTool({ name: 'list_workspaces', arguments: {} })
  const { workspaces } = operations.listWorkspaces.output.parse(structuredContent)
  expect(workspaces.map(({ id }) => id)).toContain(owner.workspaceId)
})

test.skipIf(!hasGlewlwyd)('a provider that others made serves as well: Glewlwyd', async () => {
  const { url } = platform()
  const theirs = await signUp('Theirs')
  const { workspaceId: workspace_id } = theirs
  const own = `theirs-${domain}`
  const email = `bea@${own}`
  const provider = await startGlewlwyd(`${url}/auth/sso/${workspace_id}/callback`, email)
  onTestFinished(() => provider.stop())

  const prove = () => theirs.client.call(operations.verifySsoDomain, { workspace_id, domain: own })
  const { domain: added } = await prove()
  dns.records.set(`_flamegate-sso.${own}`, added.token)
  expect((await prove()).domain.is_verified).toBe(true)
  const failing = async (client_secret: string) => {
    const shown = { issuer: provider.issuer, client_id: provider.clientId, client_secret }
    await theirs.client.call(operations.setSso, { workspace_id, ...shown })
    const { checks } = await theirs.client.call(operations.testSso, { workspace_id })
    return checks.filter(({ is_ok }) => !is_ok).map(({ check }) => check)
  }
  expect(await failing('not the secret')).toEqual(['client'])
  expect(await failing(provider.clientSecret)).toEqual([])

  const page = await openBrowser()
  await page.goto(`${url}/log-in`)
  await page.getByRole('button', { name: 'Use single sign-on' }).waitFor()
  await comeIn(page, email)
  await provider.logIn(page)
  await page.waitForURL(isRoot)
  const { members } = await theirs.client.call(operations.listWorkspaceMembers, { workspace_id })
  expect(members.find((member) => member.email === email)).toMatchObject({ name: 'Bea', role: 'member' })
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

test('what is typed wrong is said at its field, and what is given up is asked about before, by keys alone', async () => {
  const typist = await signUp('Typist')
  const { workspaceId: workspace_id } = typist
  const page = await openBrowser(typist)
  await openSettled(page, `/workspaces/${workspace_id}/sso`)
  const type = async (label: string, text: string) => {
    await tabTo(page, label)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  }
  const isRefused = (label: string) => page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')
  const told = () => typist.client.call(operations.getSso, { workspace_id })

  await type('Domain', 'no domain')
  await page.keyboard.press('Enter')
  await expect.poll(() => isRefused('Domain')).toBe('true')
  const owned = `typist-${domain}`
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(owned)
  await page.keyboard.press('Enter')
  await page.getByText('not proved').waitFor()
  // Empty again for the next one, and one is still there.
  await expect.poll(() => page.evaluate<string>('document.activeElement.value')).toBe('')
  expect(await page.evaluate<string>('document.activeElement.name')).toBe('domain')

  await type('Issuer', 'http://login.example')
  await type('Client ID', 'flamegate')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  await expect.poll(() => isRefused('Issuer')).toBe('true')
  expect(await isRefused('Client ID')).not.toBe('true')
  await expectAccessible(page, 'sso-refused')
  await type('Issuer', 'https://10.0.0.1')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  await expect.poll(() => isRefused('Client secret')).toBe('true')
  await type('Client secret', 'a secret of theirs')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Test the connection' }).waitFor()
  expect(await told()).toMatchObject({ settings: { issuer: 'https://10.0.0.1', client_id: 'flamegate' } })
  // What was saved is not shown again.
  expect(await page.getByLabel('Client secret').inputValue()).toBe('')

  await tabTo(page, `Give up ${owned}`)
  await page.keyboard.press('Enter')
  const givingUp = page.getByRole('alertdialog', { name: `Give up ${owned}?` })
  await givingUp.waitFor()
  await expectAccessible(page, 'sso-give-up')
  await page.keyboard.press('Escape')
  await givingUp.waitFor({ state: 'detached' })
  expect(await told()).toMatchObject({ domains: [{ domain: owned }] })
  await waitForFocus(page, `Give up ${owned}`)
  await page.keyboard.press('Enter')
  await givingUp.waitFor()
  await tabTo(page, 'Give up')
  await page.keyboard.press('Enter')
  await page.getByText(`${owned} is the workspace’s no more.`).waitFor()
  expect(await told()).toMatchObject({ domains: [] })

  await tabTo(page, 'Remove the provider…')
  await page.keyboard.press('Enter')
  const removing = page.getByRole('alertdialog', { name: 'Remove the provider?' })
  await removing.waitFor()
  await tabTo(page, 'Cancel')
  await page.keyboard.press('Enter')
  await removing.waitFor({ state: 'detached' })
  expect((await told()).settings).not.toBeNull()
  await waitForFocus(page, 'Remove the provider…')
  await page.keyboard.press('Enter')
  await removing.waitFor()
  await tabTo(page, 'Remove')
  await page.keyboard.press('Enter')
  await page.getByText('Single sign-on is removed.').waitFor()
  expect((await told()).settings).toBeNull()
})
