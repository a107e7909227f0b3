import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkConnections } from './check-connections.ts'
import { bootstrapRoles } from './roles.ts'
import { startTestServer, urlsOf, type TestDatabase, type TestServer } from './test-server.ts'

let server: TestServer
let urls: TestDatabase

beforeAll(async () => {
  server = await startTestServer()
  await bootstrapRoles(server.adminUrl, { owner: 'owner', app: 'app', auth: 'auth', queue: 'queue' }, 'asked')
  urls = urlsOf(server.adminUrl, 'asked')
})
afterAll(() => server?.stop())

test('databases that let us in are nothing to tell of, nor what is not set', async () => {
  const check = checkConnections({ APP_URL: urls.appUrl, AUTH_URL: urls.authUrl, QUEUE_URL: undefined })
  await expect(check).resolves.toBeUndefined()
})

test('each setting that leads into no database is told with what to do, and without its password', async () => {
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(urls.appUrl)
    url.password = 'hush'
    change(url)
    return url.href
  }
  const { host } = new URL(urls.appUrl)
  const check = checkConnections({
    APP_URL: urls.appUrl,
    WRONG_PASSWORD: changed(() => {}),
    NO_DATABASE: urls.appUrl.replace(/[^/]*$/, 'nowhere'),
    NOBODY_THERE: changed((url) => (url.port = '1')),
    NO_HOST: changed((url) => (url.hostname = 'no.such.host.invalid')),
  })
  const words = await check.catch((error: unknown) => (error instanceof Error ? error.message : ''))
  expect(String(words).split('\n')).toEqual([
    '4 settings are not right:',
    `  WRONG_PASSWORD: PostgreSQL at ${host} does not let flamegate_app in (password authentication failed for user "flamegate_app"). Set it to the password that this role has there.`,
    `  NO_DATABASE: PostgreSQL at ${host} has no database nowhere. Set it to the one that there is; apps/platform/src/prepare-database.ts makes it.`,
    '  NOBODY_THERE: PostgreSQL at 127.0.0.1:1 could not be asked (connect ECONNREFUSED 127.0.0.1:1). Start it, or set this to where it is.',
    expect.stringMatching(
      /^ {2}NO_HOST: PostgreSQL at no\.such\.host\.invalid:\d+ could not be asked \(getaddrinfo E/,
    ),
  ])
  expect(words).not.toContain('hush')
  await expect(check).rejects.toMatchObject({ isForOperator: true })
})

test('who is above row-level security is let in as an administrator only', async () => {
  const words =
    /^A setting is not right:\n {2}APP_URL: \w+ is above row-level security, .* Set it to the role that/
  await expect(checkConnections({ APP_URL: server.adminUrl })).rejects.toThrow(words)
  const administrator = checkConnections({ ADMIN_URL: server.adminUrl }, { mayBeAdministrator: true })
  await expect(administrator).resolves.toBeUndefined()
})
