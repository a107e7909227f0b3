import { hashSecret, newSecret } from '@flamegate/auth'
import { newId } from '@flamegate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  ada,
  nativeClient,
  openBrowser,
  registerClient,
  requestAuthorization,
  startTestSite,
  type TestSite,
} from './test-site.ts'

let site: TestSite
let before = 0
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.close())
beforeEach(() => {
  before = site.identity.securityEvents.length
})

/** What was recorded in this test, without log-ins. */
const recorded = () => site.identity.securityEvents.slice(before).filter(({ action }) => action !== 'log_in')

async function reachConsent(name: string) {
  const client = await registerClient(site, { ...nativeClient, client_name: name })
  const browser = openBrowser(site)
  await browser.logIn(ada)
  const { url } = await browser.visit(requestAuthorization(site, client).url)
  return { client, browser, path: `/auth/interactions/${url.pathname.slice('/consent/'.length)}` }
}

test('a client that registers is recorded, as nobody’s', async () => {
  const client = await registerClient(site, { ...nativeClient, client_name: 'A new one' })
  expect(recorded()).toMatchObject([
    { action: 'register_client', client: { id: client.client_id, name: 'A new one' }, ip: '127.0.0.1' },
  ])
  expect(recorded()[0]?.userId).toBeUndefined()
})

test('what a person allows a client is recorded for each workspace that they name, and once if they name none', async () => {
  const { client, browser, path } = await reachConsent('For one')
  await browser.call('POST', `${path}/allow`, { workspace_ids: ['ws_usr_ada'] })
  const consent = {
    action: 'allow_client',
    userId: 'usr_ada',
    outcome: 'ok',
    client: { id: client.client_id, name: 'For one' },
    target: expect.any(String),
  }
  expect(recorded().slice(1)).toMatchObject([{ ...consent, workspaceId: 'ws_usr_ada' }])

  const other = await reachConsent('For all')
  await other.browser.call('POST', `${other.path}/allow`, {})
  const last = recorded().at(-1)
  expect(last).toMatchObject({ action: 'allow_client', client: { name: 'For all' } })
  expect(last?.workspaceId).toBeUndefined()
})

test('what a person refuses is recorded', async () => {
  const { client, browser, path } = await reachConsent('Unwanted')
  await browser.call('POST', `${path}/deny`, {})
  expect(recorded().slice(1)).toMatchObject([
    { action: 'refuse_client', userId: 'usr_ada', client: { id: client.client_id } },
  ])
})

test('a click that comes after the decision is recorded as one that decides nothing', async () => {
  const { browser, path } = await reachConsent('Allowed before')
  await browser.call('POST', `${path}/allow`, {})
  await browser.call('POST', `${path}/deny`, {})
  expect(recorded().slice(1)).toMatchObject([
    { action: 'allow_client', outcome: 'ok' },
    { action: 'refuse_client', outcome: 'decided_already' },
  ])
})

test('choices that are narrowed later are recorded, and those of somebody else’s app as refused', async () => {
  const { browser, path } = await reachConsent('Narrowed')
  await browser.call('POST', `${path}/allow`, {})
  const grant = site.identity.listGrants().at(-1)
  const choices = { workspace_ids: ['ws_usr_ada'], toolsets: null, read_only: true }
  await browser.call('PUT', `/auth/connected-apps/${grant?.id}/choices`, choices)
  await browser.call('PUT', '/auth/connected-apps/none/choices', choices)
  expect(recorded().slice(2)).toMatchObject([
    { action: 'change_consent', outcome: 'ok', target: grant?.id, workspaceId: 'ws_usr_ada' },
    { action: 'change_consent', outcome: 'connected_app_not_found', status: 404 },
  ])
})

test('a token of a machine is recorded in the workspace of its API token', async () => {
  const secret = newSecret('fg_')
  const id = newId('apiToken')
  site.identity.addApiToken(hashSecret(secret), {
    id,
    name: 'Nightly',
    userId: 'usr_ada',
    workspaceId: 'ws_usr_ada',
    scopes: ['read'],
    expiresAt: null,
  })
  const body = new URLSearchParams({ grant_type: 'client_credentials' })
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const answer = await fetch(`${site.issuer}/oauth/token`, {
    method: 'POST',
    body,
    headers: { authorization, 'user-agent': 'nightly/1' },
  })
  expect(answer.status).toBe(200)
  await expect.poll(recorded).toMatchObject([
    {
      action: 'issue_machine_token',
      userId: 'usr_ada',
      workspaceId: 'ws_usr_ada',
      client: { id, name: 'Nightly' },
      ip: '127.0.0.1',
      userAgent: 'nightly/1',
    },
  ])
})
