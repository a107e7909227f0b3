import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { lookUpTogether } from './test-race.ts'
import { connect, readClaims, refresh, registerClient, startTestSite, tryToken } from './test-site.ts'
import type { TestClient, TestSite } from './test-site.ts'

let site: TestSite
let client: TestClient
beforeAll(async () => {
  site = await startTestSite()
  client = await registerClient(site)
})
afterAll(() => site.close())

// Only the calendar is false; the servers run on real timers.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function pass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

const gone = { status: 400, error: 'invalid_grant' }

test('a refresh token that is sent again within a minute gives the same successor and a fresh access token', async () => {
  const first = await connect(site, client)
  const second = await refresh(site, client, first)
  pass(59)
  const again = await refresh(site, client, first)
  expect(again).toMatchObject({ status: 200, scope: 'read', refresh_token: second.refresh_token })
  expect(again.refresh_token).not.toBe(first.refresh_token)
  expect(again.access_token).not.toBe(second.access_token)
  expect(await tryToken(site, again.access_token)).toBe('read')
  expect(await refresh(site, client, second)).toMatchObject({ status: 200 })
})

test('ten refreshes at once, by two processes, all succeed with one successor, and the grant lives', async () => {
  const addresses = [site.issuer, await site.startAnother()]
  const first = await connect(site, client)
  lookUpTogether(site, 'find', 'RefreshToken', 10)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => refresh(site, client, first, {}, addresses[index % 2])),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1)
  expect(new Set(answers.map((answer) => answer.access_token)).size).toBe(10)
  for (const { access_token } of answers) expect(await tryToken(site, access_token)).toBe('read')
  const [next = first] = answers
  const after = await Promise.all(addresses.map((address) => refresh(site, client, next, {}, address)))
  expect(after.map(({ status }) => status)).toEqual([200, 200])
  expect(after[0]?.refresh_token).toBe(after[1]?.refresh_token)
})

test('a slow process that comes late within the grace does not undo what came of the successor', async () => {
  const first = await connect(site, client)
  const second = await refresh(site, client, first)
  const third = await refresh(site, client, second)
  expect((await refresh(site, client, first)).refresh_token).toBe(second.refresh_token)
  expect((await refresh(site, client, second)).refresh_token).toBe(third.refresh_token)
  pass(61)
  expect(await refresh(site, client, third)).toMatchObject({ status: 200 })
})

test('a refresh token that is used after its grace is stolen: everything that came of the grant ends', async () => {
  const first = await connect(site, client)
  const second = await refresh(site, client, first)
  pass(61)
  expect(await refresh(site, client, first)).toMatchObject(gone)
  expect(await tryToken(site, second.access_token)).toBe('The access token was revoked.')
  expect(await refresh(site, client, second)).toMatchObject(gone)
  expect(site.identity.listGrants().map(({ id }) => id)).not.toContain(readClaims(first.access_token)['gid'])
})

test('another client cannot use a refresh token, within its grace or not', async () => {
  const other = await registerClient(site, { ...client, client_name: 'Another agent' })
  const first = await connect(site, client)
  expect(await refresh(site, other, first)).toMatchObject(gone)
  await refresh(site, client, first)
  expect(await refresh(site, other, first)).toMatchObject(gone)
  expect(await refresh(site, client, first)).toMatchObject({ status: 200 })
})

const grantOf = ({ access_token }: { access_token: string }) => String(readClaims(access_token)['gid'])

describe('a refresh on its way does not survive that its grant is revoked', () => {
  test('before the successor is stored', async () => {
    const { oauth } = site.identity
    const first = await connect(site, client)
    const add = oauth.add.bind(oauth)
    const spy = vi.spyOn(oauth, 'add').mockImplementation(async (...record) => {
      await oauth.revokeGrant(grantOf(first))
      return add(...record)
    })
    onTestFinished(() => spy.mockRestore())
    expect(await refresh(site, client, first)).toMatchObject(gone)
    expect(spy).toHaveBeenCalledOnce()
  })

  test('before the access token is signed', async () => {
    const { grants, oauth } = site.identity
    const first = await connect(site, client)
    const findChoices = grants.findVersionedChoices.bind(grants)
    const spy = vi.spyOn(grants, 'findVersionedChoices').mockImplementation(async (...grant) => {
      const choices = await findChoices(...grant)
      await oauth.revokeGrant(grantOf(first))
      return choices
    })
    onTestFinished(() => spy.mockRestore())
    const second = await refresh(site, client, first)
    expect(second.status).toBe(200)
    expect(await tryToken(site, second.access_token)).toBe('The access token was revoked.')
    expect(await refresh(site, client, second)).toMatchObject(gone)
  })
})

test('whoever refreshes at least every 60 days stays logged in, and nobody else does', async () => {
  let tokens = await connect(site, client)
  for (let month = 0; month < 4; month++) {
    pass(59 * 86_400)
    tokens = await refresh(site, client, tokens)
    expect(tokens.status).toBe(200)
  }
  pass(61 * 86_400)
  expect(await refresh(site, client, tokens)).toMatchObject(gone)
})

test('a refresh may ask for less, once: the next one may have everything again', async () => {
  const first = await connect(site, client, { scope: 'read write run' })
  const narrow = await refresh(site, client, first, { scope: 'read' })
  expect(narrow).toMatchObject({ status: 200, scope: 'read' })
  expect(await tryToken(site, narrow.access_token)).toBe('read')
  expect(await refresh(site, client, narrow)).toMatchObject({ status: 200, scope: 'read write run' })
})

test('a refresh cannot ask for more than was granted', async () => {
  const first = await connect(site, client, { scope: 'read' })
  expect(await refresh(site, client, first, { scope: 'read write' })).toMatchObject({
    status: 400,
    error: 'invalid_scope',
  })
  expect(await refresh(site, client, first)).toMatchObject({ status: 200 })
})

test.each([
  ['read offline_access', 'read'],
  ['offline_access', 'read write'],
  ['mcp:tools read', 'read'],
  ['', 'read write'],
])('a refresh that says scope %o, with words that mean nothing here, gives %s', async (scope, granted) => {
  const first = await connect(site, client, { scope: 'read write' })
  expect(await refresh(site, client, first, { scope })).toMatchObject({ status: 200, scope: granted })
})

test('the resource may be written differently in every refresh', async () => {
  const first = await connect(site, client)
  for (const path of ['/mcp', '/mcp/', '/mcp/x/all', '']) {
    const answer = await refresh(site, client, first, { resource: site.issuer + path })
    expect(readClaims(answer.access_token)['aud']).toBe(`${site.issuer}/mcp`)
  }
})

test('neither a refresh token nor its successor can be read out of storage', async () => {
  const first = await connect(site, client)
  const second = await refresh(site, client, first)
  const ids = site.identity.listRecordIds('RefreshToken')
  const stored = JSON.stringify([
    ids,
    await Promise.all(ids.map((id) => site.identity.oauth.find('RefreshToken', id))),
  ])
  expect(stored).not.toContain(first.refresh_token)
  expect(stored).not.toContain(second.refresh_token)
})
