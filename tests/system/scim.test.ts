import { operations, type Caller } from '@flamegate/contract'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from './browser.ts'
import { openPlatformDatabase } from './database-access.ts'
import { expectAccessible, openPageOf } from './dialogs.ts'
import { apiToken, logIn, platform, signUp, signUpAs, type Person } from './person.ts'

/** Provisioning by SCIM: the requests that Okta and Microsoft Entra send, in their order and with their words. */

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const userSchema = z.object({
  id: z.string(),
  userName: z.string(),
  active: z.boolean(),
  externalId: z.string().optional(),
  displayName: z.string().optional(),
  name: z.object({ givenName: z.string().optional(), familyName: z.string().optional() }).optional(),
  emails: z.array(z.object({ value: z.string() })),
  meta: z.object({ location: z.string() }),
})
const listSchema = z.object({
  totalResults: z.number(),
  startIndex: z.number(),
  itemsPerPage: z.number(),
  Resources: z.array(userSchema),
})

interface Provisioned {
  owner: Person
  domain: string
  token: string
  addressOf: (name: string) => string
  send: (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>
}

let database: Awaited<ReturnType<typeof openPlatformDatabase>>
let browser: Browser
beforeAll(async () => {
  ;[database, browser] = await Promise.all([openPlatformDatabase(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await database?.close()
})

let counter = 0

/** A workspace that proved a domain, and made a token. */
async function setUp(): Promise<Provisioned> {
  const owner = await signUp('Owner')
  const { workspaceId: workspace_id } = owner
  const domain = `scim-${process.pid}-${Date.now()}-${++counter}.example`
  await owner.client.call(operations.verifySsoDomain, { workspace_id, domain })
  const caller: Caller = {
    principal: { userId: owner.userId, via: 'session', clientId: 'web', clientName: 'test', scopes: [] },
    roles: new Map([[workspace_id, 'owner']]),
    access: 'admin',
  }
  await database.stores.sso.noteCheck(caller, workspace_id, domain, { method: 'dns' })
  const { secret, base_url } = await owner.client.call(operations.setScimToken, { workspace_id })
  expect(base_url).toBe(`${platform().url}/scim/v2`)
  return { owner, domain, token: secret, addressOf: (name) => `${name}@${domain}`, send: sender(secret) }
}

/** @param token Undefined: none is sent. */
function sender(token: string | undefined): Provisioned['send'] {
  return async (method, path, body) => {
    const response = await fetch(`${platform().url}/scim/v2${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== 204)
      expect(response.headers.get('content-type')).toContain('application/scim+json')
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

const membersOf = async (owner: Person) => {
  const { members } = await owner.client.call(operations.listWorkspaceMembers, {
    workspace_id: owner.workspaceId,
  })
  return members.map(({ email, role }) => [email, role])
}

const byName = (userName: string) => `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`

test('Okta: the test of the connection, an assignment, a change of the profile, the end, and back again', async () => {
  const { owner, addressOf, send } = await setUp()
  const userName = addressOf('ona')
  expect(await send('GET', '/Users?startIndex=1&count=2')).toMatchObject({
    status: 200,
    body: { totalResults: 0 },
  })
  const none = await send('GET', `${byName(userName)}&startIndex=1&count=100`)
  expect(none).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } })
  const profile = {
    schemas: [core],
    userName,
    name: { givenName: 'Ona', familyName: 'Oak' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Ona Oak',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const created = await send('POST', '/Users', profile)
  expect(created.status).toBe(201)
  const { id, meta } = userSchema.parse(created.body)
  expect(meta.location).toBe(`${platform().url}/scim/v2/Users/${id}`)
  expect(await membersOf(owner)).toContainEqual([userName, 'member'])
  expect(await send('POST', '/Users', profile)).toMatchObject({
    status: 409,
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '409', scimType: 'uniqueness' },
  })

  // Okta reads the whole, and puts the whole.
  expect((await send('GET', `/Users/${id}`)).body).toEqual(created.body)
  const married = { ...profile, id, name: { givenName: 'Ona', familyName: 'Ash' }, displayName: 'Ona Ash' }
  expect((await send('PUT', `/Users/${id}`, married)).body).toMatchObject({
    id,
    name: { familyName: 'Ash' },
    displayName: 'Ona Ash',
    active: true,
  })
  const turn = (active: boolean) =>
    send('PATCH', `/Users/${id}`, { schemas: [patchOp], Operations: [{ op: 'replace', value: { active } }] })
  expect(await turn(false)).toMatchObject({ status: 200, body: { id, active: false } })
  expect(await membersOf(owner)).not.toContainEqual([userName, 'member'])
  expect(listSchema.parse((await send('GET', byName(userName))).body)).toMatchObject({
    totalResults: 1,
    Resources: [{ id, active: false, displayName: 'Ona Ash', emails: [{ value: userName }] }],
  })
  expect(await turn(true)).toMatchObject({ status: 200, body: { id, active: true } })
  expect(await membersOf(owner)).toContainEqual([userName, 'member'])
})

test('Microsoft Entra: a user is created, changed, disabled by a word, and deleted', async () => {
  const { owner, addressOf, send } = await setUp()
  // What the test of the connection asks for: somebody whom nobody knows.
  expect(await send('GET', byName(crypto.randomUUID()))).toMatchObject({
    status: 200,
    body: { totalResults: 0 },
  })
  const userName = addressOf('Enya.Upn')
  const mail = addressOf('enya')
  const created = await send('POST', '/Users', {
    schemas: [core, enterprise],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName,
    active: true,
    displayName: 'Enya Elm',
    emails: [{ primary: true, type: 'work', value: mail }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Enya Elm', familyName: 'Elm', givenName: 'Enya' },
    roles: [],
    [enterprise]: { department: 'Engines' },
  })
  expect(created.status).toBe(201)
  const { id } = userSchema.parse(created.body)
  expect(await membersOf(owner)).toContainEqual([mail, 'member'])
  for (const filter of [
    'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"',
    `emails[type eq "work"].value eq "${mail}"`,
  ])
    expect(
      listSchema.parse((await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body),
    ).toMatchObject({
      totalResults: 1,
      Resources: [{ id, userName }],
    })
  const patch = (...Operations: object[]) => send('PATCH', `/Users/${id}`, { schemas: [patchOp], Operations })
  const changed = await patch(
    { op: 'Replace', path: 'displayName', value: 'Enya Fir' },
    { op: 'Replace', path: 'name.familyName', value: 'Fir' },
    { op: 'Add', path: `${enterprise}:department`, value: 'Wheels' },
    { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'London' },
  )
  expect(changed).toMatchObject({
    status: 200,
    body: { displayName: 'Enya Fir', name: { familyName: 'Fir' } },
  })
  expect(await patch({ op: 'Replace', path: 'active', value: 'False' })).toMatchObject({
    status: 200,
    body: { id, active: false },
  })
  expect(await membersOf(owner)).not.toContainEqual([mail, 'member'])
  expect(await send('GET', `/Users/${id}`)).toMatchObject({ status: 200, body: { active: false } })
  expect(await send('DELETE', `/Users/${id}`)).toEqual({ status: 204, body: undefined })
  for (const [method, body] of [['GET'], ['DELETE'], ['PUT', { userName }]] as const)
    expect(await send(method, `/Users/${id}`, body)).toMatchObject({ status: 404, body: { status: '404' } })
})

/** Status of a call for a workspace. */
const read = async (token: string, workspace: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${platform().url}/v1/workspaces/${workspace}/projects`, { headers })).status
}

test('who is deactivated is out at once, of this workspace and of no other', async () => {
  const { owner, addressOf, send } = await setUp()
  const { workspaceId: workspace_id } = owner
  const email = addressOf('lea')
  const invited = await owner.client.call(operations.setWorkspaceMember, {
    workspace_id,
    email,
    role: 'member',
  })
  const invitation = new URL(invited.invitation_url ?? '').searchParams.get('token') ?? ''
  const lea = await signUpAs(platform().url, 'Lea', email, invitation)
  const [here, home] = [await apiToken(lea, ['read'], workspace_id), await apiToken(lea, ['read'])]
  const both = async () => [await read(here, workspace_id), await read(home, lea.workspaceId)]
  expect(await both()).toEqual([200, 200])

  // Of somebody whom the provider did not add it sees the address, and takes over from there.
  const [found] = listSchema.parse((await send('GET', byName(email.toUpperCase()))).body).Resources
  expect(found).toMatchObject({ id: lea.userId, userName: email, active: true })
  const end = { schemas: [patchOp], Operations: [{ op: 'replace', path: 'active', value: false }] }
  expect(await send('PATCH', `/Users/${lea.userId}`, end)).toMatchObject({
    status: 200,
    body: { active: false },
  })
  expect(await both()).toEqual([401, 200])
  const mine = await lea.client.call(operations.listWorkspaces, {})
  expect(mine.workspaces.map(({ id }) => id)).toEqual([lea.workspaceId])
  await expect(lea.client.call(operations.listProjects, { workspace_id })).rejects.toMatchObject({
    code: 'workspace_not_found',
  })
  // The account is its person's.
  expect((await logIn(lea.email, lea.password)).userId).toBe(lea.userId)
})

test('who is called as a later member is deactivated all the same', async () => {
  const { owner, addressOf, send } = await setUp()
  const { workspaceId: workspace_id } = owner
  const shared = addressOf('shared')
  const first = await send('POST', '/Users', { userName: shared, emails: [{ value: addressOf('pat') }] })
  const { id } = userSchema.parse(first.body)
  const invited = await owner.client.call(operations.setWorkspaceMember, {
    workspace_id,
    email: shared,
    role: 'viewer',
  })
  const invitation = new URL(invited.invitation_url ?? '').searchParams.get('token') ?? ''
  await signUpAs(platform().url, 'Quin', shared, invitation)
  const end = { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: false } }] }
  expect(await send('PATCH', `/Users/${id}`, end)).toMatchObject({ status: 200, body: { id, active: false } })
  expect(await membersOf(owner)).toEqual(expect.arrayContaining([[shared, 'viewer']]))
  expect(await membersOf(owner)).not.toContainEqual([addressOf('pat'), 'member'])
})

test('the last owner stays, and is told of as a conflict', async () => {
  const { owner, addressOf, send } = await setUp()
  const { workspaceId: workspace_id } = owner
  const email = addressOf('ole')
  const { id } = userSchema.parse((await send('POST', '/Users', { schemas: [core], userName: email })).body)
  await owner.client.call(operations.setWorkspaceMember, { workspace_id, email, role: 'owner' })
  await owner.client.call(operations.setWorkspaceMember, { workspace_id, email: owner.email, role: 'admin' })
  const end = { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: false } }] }
  const refused = {
    status: 409,
    body: { status: '409', detail: expect.stringContaining('at least one owner') },
  }
  expect(await send('PATCH', `/Users/${id}`, end)).toMatchObject(refused)
  expect(await send('DELETE', `/Users/${id}`)).toMatchObject(refused)
  expect(await send('GET', `/Users/${id}`)).toMatchObject({ status: 200, body: { active: true } })
})

test('only people with an address of a proved domain are provisioned, and strangers’ accounts are left alone', async () => {
  const { owner, addressOf, send } = await setUp()
  const create = (userName: string, emails?: object[]) =>
    send('POST', '/Users', { schemas: [core], userName, emails })
  for (const email of ['eve@elsewhere.example', 'no address', addressOf('eve').replace('@', '@sub.')])
    expect(await create(email)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  expect(await create(addressOf('eve'), [{ value: owner.email, primary: true }])).toMatchObject({
    status: 400,
  })
  // Whoever typed this address first has not shown that it is theirs.
  const stranger = await signUpAs(platform().url, 'Stranger', addressOf('typed'))
  expect(await create(stranger.email)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('nobody confirmed') },
  })
  expect(await membersOf(owner)).toEqual([[owner.email, 'owner']])
  // The owner, with an address elsewhere, is a guest as far as the provider can see.
  expect(await send('GET', `/Users/${owner.userId}`)).toMatchObject({ status: 404 })
  expect(await send('DELETE', `/Users/${owner.userId}`)).toMatchObject({ status: 404 })
})

test('the token of one workspace sees and changes nobody of another', async () => {
  const [mine, yours] = [await setUp(), await setUp()]
  const theirs = userSchema.parse(
    (await yours.send('POST', '/Users', { userName: yours.addressOf('yan'), externalId: 'yan' })).body,
  )
  expect(await mine.send('GET', '/Users')).toMatchObject({ body: { totalResults: 0 } })
  for (const filter of [`userName eq "${theirs.userName}"`, 'externalId eq "yan"', `id eq "${theirs.id}"`])
    expect(await mine.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)).toMatchObject({
      status: 200,
      body: { totalResults: 0 },
    })
  const end = { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: false } }] }
  const path = `/Users/${theirs.id}`
  for (const [method, body] of [
    ['GET'],
    ['PATCH', end],
    ['PUT', { userName: 'x', active: false }],
    ['DELETE'],
  ] as const)
    expect(await mine.send(method, path, body)).toMatchObject({ status: 404 })
  expect(await mine.send('POST', '/Users', { userName: theirs.userName })).toMatchObject({ status: 400 })
  expect(await yours.send('GET', path)).toMatchObject({ status: 200, body: theirs })
})

test('the token opens nothing else, nothing else opens SCIM, and it ends when it is replaced or removed', async () => {
  const { owner, token, send } = await setUp()
  const { workspaceId: workspace_id } = owner
  const headers = { authorization: `Bearer ${token}` }
  for (const path of [`/v1/workspaces/${workspace_id}/projects`, '/mcp'])
    expect((await fetch(platform().url + path, { headers })).status).toBe(401)
  const { secret } = await owner.client.call(operations.createApiToken, {
    workspace_id,
    name: 'everything',
    scopes: ['read', 'write', 'admin'],
  })
  for (const other of [undefined, secret, 'fg_wrong', ''])
    expect(await sender(other)('GET', '/Users')).toMatchObject({ status: 401, body: { status: '401' } })

  const replaced = await owner.client.call(operations.setScimToken, { workspace_id, default_role: 'viewer' })
  expect(await send('GET', '/Users')).toMatchObject({ status: 401 })
  const anew = sender(replaced.secret)
  expect(await anew('GET', '/Users')).toMatchObject({ status: 200 })
  const told = await owner.client.call(operations.getScim, { workspace_id })
  expect(told.token).toMatchObject({ default_role: 'viewer', last_used_at: expect.any(String) })
  expect(JSON.stringify(told)).not.toContain(replaced.secret)
  await owner.client.call(operations.deleteScimToken, { workspace_id })
  expect(await anew('GET', '/Users')).toMatchObject({ status: 401 })
  await expect(owner.client.call(operations.deleteScimToken, { workspace_id })).rejects.toMatchObject({
    code: 'scim_not_found',
  })
})

test('what it can do is told, and what cannot be read is refused in its own form', async () => {
  const { send } = await setUp()
  expect(await send('GET', '/ServiceProviderConfig')).toMatchObject({
    status: 200,
    body: { patch: { supported: true }, bulk: { supported: false }, filter: { supported: true } },
  })
  expect(await send('GET', '/ResourceTypes')).toMatchObject({
    body: { totalResults: 1, Resources: [{ id: 'User', endpoint: '/Users', schema: core }] },
  })
  expect(await send('GET', '/Schemas')).toMatchObject({
    body: { totalResults: 1, Resources: [{ id: core }] },
  })
  expect(await send('GET', `/Schemas/${core}`)).toMatchObject({ status: 200, body: { id: core } })
  for (const path of ['/Groups', '/Me', '/Schemas/none', '/Users/usr_none'])
    expect(await send('GET', path)).toMatchObject({ status: 404, body: { status: '404' } })
  expect(await send('GET', '/Users?filter=active%20pr')).toMatchObject({
    status: 400,
    body: { scimType: 'invalidFilter' },
  })
  expect(await send('GET', '/Users?count=many')).toMatchObject({ status: 400 })
  expect(await send('POST', '/Users', { userName: 'x', displayName: 'y'.repeat(70_000) })).toMatchObject({
    status: 413,
    body: { status: '413' },
  })
})

test('pages are told as they are asked for', async () => {
  const { addressOf, send } = await setUp()
  for (const name of ['a', 'b', 'c']) await send('POST', '/Users', { userName: addressOf(name) })
  const page = async (query: string) => listSchema.parse((await send('GET', `/Users?${query}`)).body)
  const first = await page('startIndex=1&count=2')
  expect(first).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 2 })
  const second = await page('startIndex=3&count=2')
  expect(second).toMatchObject({ totalResults: 3, startIndex: 3, itemsPerPage: 1 })
  const names = [...first.Resources, ...second.Resources].map(({ userName }) => userName)
  expect(names.toSorted()).toEqual(['a', 'b', 'c'].map(addressOf))
  expect(await page('startIndex=-5&count=-1')).toMatchObject({
    totalResults: 3,
    startIndex: 1,
    Resources: [],
  })
})

test('each change is in the audit log, in the name of SCIM', async () => {
  const { owner, addressOf, send } = await setUp()
  const { id } = userSchema.parse((await send('POST', '/Users', { userName: addressOf('ada') })).body)
  const patch = (value: object) =>
    send('PATCH', `/Users/${id}`, { schemas: [patchOp], Operations: [{ op: 'replace', value }] })
  await patch({ displayName: 'Ada' })
  await patch({ displayName: 'Ada' })
  await send('DELETE', `/Users/${id}`)
  await send('POST', '/Users', { userName: 'eve@elsewhere.example' })
  const told = async () => {
    const { events } = await owner.client.call(operations.searchAuditLog, {
      workspace_id: owner.workspaceId,
      limit: 100,
    })
    return events
      .filter(({ client_name }) => client_name === 'SCIM')
      .map(({ operation, outcome, target }) => [operation, outcome, target])
      .toReversed()
  }
  await expect.poll(told).toEqual([
    ['provision_member', 'ok', id],
    ['change_provisioned_member', 'ok', id],
    ['deprovision_member', 'ok', id],
    ['provision_member', 'invalid_input', null],
  ])
})

test('an owner makes, replaces and removes the token in the settings of single sign-on', async () => {
  const owner = await signUp('Owner')
  const { workspaceId: workspace_id } = owner
  const page = await openPageOf(browser, owner)
  onTestFinished(() => page.context().close())
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.goto(`/workspaces/${workspace_id}/sso`)
  await page.getByText('There is no token: nobody is provisioned.').waitFor()
  expect(await page.getByRole('textbox', { name: 'SCIM base URL' }).inputValue()).toBe(
    `${platform().url}/scim/v2`,
  )
  await press('Make a SCIM token…')
  await page.getByRole('dialog', { name: 'New SCIM token' }).waitFor()
  await expectAccessible(page, 'scim-new-token')
  await press('Make the token')
  const shown = page.getByRole('textbox', { name: 'SCIM token' })
  await shown.waitFor()
  const first = await shown.inputValue()
  expect(await sender(first)('GET', '/Users')).toMatchObject({ status: 200 })
  await press('Done')
  await page.getByText('gives the role member').waitFor()
  await page.reload()
  await page.getByText('was last used').waitFor()
  await expectAccessible(page, 'scim-token')
  expect(await page.content()).not.toContain(first)

  await press('Replace the SCIM token…')
  await press('Make the token')
  await shown.waitFor()
  expect(await sender(first)('GET', '/Users')).toMatchObject({ status: 401 })
  expect(await sender(await shown.inputValue())('GET', '/Users')).toMatchObject({ status: 200 })
  await press('Done')
  await press('Remove the SCIM token…')
  const asked = page.getByRole('alertdialog', { name: 'Remove the SCIM token?' })
  await asked.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('There is no token: nobody is provisioned.').waitFor()
  expect((await owner.client.call(operations.getScim, { workspace_id })).token).toBeNull()
})
