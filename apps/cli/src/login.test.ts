import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { freshToken, loginOf } from './login/fresh-token.ts'
import { readLogin, storeLogin } from './login/stored-login.ts'
import { runForTest } from './testing/run-for-test.ts'
import { closedUrl, serveApi } from './testing/serve-api.ts'
import { serveAuthorization } from './testing/serve-authorization.ts'

let env: { XDG_CONFIG_HOME: string; FLAMEGATE_TOKEN: string }

beforeEach(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'flamegate-cli-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  env = { XDG_CONFIG_HOME: folder, FLAMEGATE_TOKEN: '' }
})

const tokens = (name: string, expires_in = 600) => ({
  access_token: `access ${name}`,
  refresh_token: `refresh ${name}`,
  expires_in,
})

test('login shows address and code, waits until it is allowed, and keeps the tokens for this user alone', async () => {
  const site = await serveAuthorization(['authorization_pending', 'authorization_pending', tokens('1')])
  const { exitCode, out } = await runForTest(['login', '--url', `${site.url}/`], { env })
  expect(exitCode).toBe(0)
  expect(out).toContain(`${site.url}/page?user_code=BCDF-GHJK`)
  expect(out).toContain('BCDF-GHJK')
  expect(out).toContain(`You are logged in at ${site.url}.`)
  expect(readLogin(env)).toMatchObject({
    url: site.url,
    access_token: 'access 1',
    refresh_token: 'refresh 1',
  })
  const file = path.join(env.XDG_CONFIG_HOME, 'flamegate', 'login.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700)
  expect(site.seen.map((each) => each.path)).toEqual(['/device', '/token', '/token', '/token'])
  expect(site.seen[0]?.parameters).toEqual({
    client_id: 'flamegate-cli',
    scope: 'read write',
    resource: `${site.url}/v1 ${site.url}/mcp`,
  })
  expect(site.seen[1]?.parameters).toMatchObject({ device_code: 'device-1' })
})

test('login goes on asking when the server was away for a moment', async () => {
  const site = await serveAuthorization(['authorization_pending', 503, 0, tokens('1')])
  expect(await runForTest(['login', '--url', site.url], { env })).toMatchObject({ exitCode: 0 })
  expect(site.seen.filter((each) => each.path === '/token')).toHaveLength(4)
  expect(readLogin(env)).toMatchObject({ access_token: 'access 1' })
})

test.each([
  ['access_denied', 'You did not allow it.'],
  ['expired_token', 'Nobody allowed it in time.'],
])('login ends with 1 on %s', async (error, text) => {
  const site = await serveAuthorization([error])
  const outcome = await runForTest(['login', '--url', site.url], { env })
  expect(outcome).toMatchObject({ exitCode: 1, error: expect.stringContaining(text) })
  expect(readLogin(env)).toBeUndefined()
})

test('login gives up when nobody decides as long as the code is good', async () => {
  const pending = Array<string>(100).fill('authorization_pending')
  const site = await serveAuthorization(pending, { userCodeSeconds: 0.1 })
  const outcome = await runForTest(['login', '--url', site.url], { env })
  expect(outcome).toMatchObject({ exitCode: 1, error: expect.stringContaining('in time') })
})

test('commands act with the log-in, where it was, and FLAMEGATE_TOKEN still wins', async () => {
  const api = await serveApi()
  await storeLogin(env, loginOf(api.url, tokens('1')))
  expect((await runForTest(['whoami'], { env })).exitCode).toBe(0)
  await runForTest(['whoami'], { url: api.url, env: { ...env, FLAMEGATE_TOKEN: 'fg_1' } })
  expect(api.calls.map((call) => call.authorization)).toEqual(['Bearer access 1', 'Bearer fg_1'])
})

test('a log-in is shown to nobody else', async () => {
  const api = await serveApi()
  const elsewhere = await serveApi()
  await storeLogin(env, loginOf(api.url, tokens('1')))
  const outcome = await runForTest(['whoami'], { env, url: elsewhere.url })
  expect(outcome).toMatchObject({ exitCode: 2, error: expect.stringContaining(elsewhere.url) })
  expect(elsewhere.calls).toEqual([])
})

test('a token that is nearly over is renewed and kept', async () => {
  const site = await serveAuthorization([tokens('2')])
  await storeLogin(env, loginOf(site.url, tokens('1', 20)))
  // The same server is no API: what matters is that the call was made with what was renewed.
  await runForTest(['whoami'], { env })
  expect(site.seen[0]?.parameters).toEqual({
    client_id: 'flamegate-cli',
    grant_type: 'refresh_token',
    refresh_token: 'refresh 1',
    resource: `${site.url}/v1`,
  })
  expect(readLogin(env)).toMatchObject({ access_token: 'access 2', refresh_token: 'refresh 2' })
})

test('a token that was refused is renewed, unless another command has done so', async () => {
  const site = await serveAuthorization([tokens('2')])
  await storeLogin(env, loginOf(site.url, tokens('1')))
  const at = { url: site.url, audience: 'v1' as const }
  expect(await freshToken(env, at, 'access 1')).toBe('access 2')
  expect(await freshToken(env, at, 'access 1')).toBe('access 2')
  expect(site.seen).toHaveLength(1)
})

test('MCP has a token of its own, of the same log-in, beside that of other commands', async () => {
  const site = await serveAuthorization([tokens('2'), tokens('3')])
  await storeLogin(env, loginOf(site.url, tokens('1')))
  const at = { url: site.url, audience: 'mcp' as const }
  expect([await freshToken(env, at), await freshToken(env, at)]).toEqual(['access 2', 'access 2'])
  expect(await freshToken(env, { url: site.url, audience: 'v1' })).toBe('access 1')
  expect(await freshToken(env, at, 'access 2')).toBe('access 3')
  expect(site.seen.map(({ parameters }) => [parameters['refresh_token'], parameters['resource']])).toEqual([
    ['refresh 1', `${site.url}/mcp`],
    ['refresh 2', `${site.url}/mcp`],
  ])
})

test('a log-in of before, which was not for MCP, says how to get one', async () => {
  const site = await serveAuthorization(['invalid_target'])
  await storeLogin(env, loginOf(site.url, tokens('1')))
  await expect(freshToken(env, { url: site.url, audience: 'mcp' })).rejects.toThrow('were not for MCP')
})

test('a log-in that was ended says how to log in again', async () => {
  const site = await serveAuthorization(['invalid_grant'])
  await storeLogin(env, loginOf(site.url, tokens('1', 0)))
  const outcome = await runForTest(['whoami'], { env })
  expect(outcome).toMatchObject({ exitCode: 1, error: expect.stringContaining('flamegate login') })
})

test('logout ends the log-in there and forgets it here', async () => {
  const site = await serveAuthorization([])
  await storeLogin(env, loginOf(site.url, tokens('1')))
  expect(await runForTest(['logout'], { env })).toMatchObject({ exitCode: 0 })
  expect(site.seen).toEqual([
    { path: '/revoke', parameters: { client_id: 'flamegate-cli', token: 'refresh 1' } },
  ])
  expect(readLogin(env)).toBeUndefined()
  expect((await runForTest(['logout'], { env })).out).toContain('You are not logged in.')
})

test('logout forgets the log-in also when the server is gone', async () => {
  await storeLogin(env, loginOf(await closedUrl(), tokens('1')))
  expect(await runForTest(['logout'], { env })).toMatchObject({ exitCode: 3 })
  expect(readLogin(env)).toBeUndefined()
})

test('a server that calls itself something else, or is none, gets no log-in', async () => {
  const other = await serveAuthorization([], { issuer: 'https://elsewhere.example' })
  expect(await runForTest(['login', '--url', other.url], { env })).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('https://elsewhere.example'),
  })
  const { url } = await serveApi()
  expect(await runForTest(['login', '--url', url], { env })).toMatchObject({ exitCode: 1 })
  expect(await runForTest(['login', '--url', 'nowhere'], { env })).toMatchObject({ exitCode: 2 })
})

test('login does not begin where it could not be kept', async () => {
  const site = await serveAuthorization([])
  const outcome = await runForTest(['login', '--url', site.url])
  expect(outcome).toMatchObject({ exitCode: 2, error: expect.stringContaining('HOME') })
  expect(site.seen).toEqual([])
})

test('a file that is no log-in says so, and a login replaces it', async () => {
  await storeLogin(env, loginOf('http://127.0.0.1:1', tokens('1')))
  const file = path.join(env.XDG_CONFIG_HOME, 'flamegate', 'login.json')
  await writeFile(file, '{"url": 1}')
  expect(await runForTest(['whoami'], { env })).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('flamegate login'),
  })
  const site = await serveAuthorization([tokens('2')])
  expect(await runForTest(['login', '--url', site.url], { env })).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ access_token: 'access 2' })
})
