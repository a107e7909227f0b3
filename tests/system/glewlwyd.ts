import { spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright'
import { freePort } from '../free-port.ts'

/** As Debian packages it: https://packages.debian.org/stable/glewlwyd */
const packaged = {
  config: '/etc/glewlwyd/glewlwyd.conf',
  schema: '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3',
}

/** Whether an OpenID provider is here that has nothing to do with us. */
export const hasGlewlwyd =
  existsSync(packaged.config) &&
  existsSync(packaged.schema) &&
  spawnSync('glewlwyd', ['--version']).error === undefined
if (!hasGlewlwyd) {
  console.warn(
    '\n*** glewlwyd was not found: single sign-on is not tried with a provider that others made. Install it (Debian: glewlwyd). ***\n',
  )
}

export interface Glewlwyd {
  issuer: string
  clientId: string
  clientSecret: string
  /** Does what its log-in page does, on which that person has just arrived: logs in, consents, and goes back. */
  logIn: (page: Page) => Promise<void>
  stop: () => Promise<void>
}

const client = { id: 'flamegate', secret: 'the-secret-of-a-client' }
const person = { name: 'Bea', username: 'bea', password: 'the secret of a person' }
const scopes = ['openid', 'email', 'profile']

/** The provider on a port and a database of its own, with one client and one person. */
export async function startGlewlwyd(redirectUri: string, email: string): Promise<Glewlwyd> {
  const folder = mkdtempSync(join(tmpdir(), 'flamegate-glewlwyd-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const database = new DatabaseSync(join(folder, 'database'))
  database.exec(readFileSync(packaged.schema, 'utf8'))
  database.close()
  const config = readFileSync(packaged.config, 'utf8')
    .replace(/^port=.*$/m, `port=${port}\nbind_address="127.0.0.1"`)
    .replace(/^external_url=.*$/m, `external_url="${url}"`)
    .replace(/^log_file=.*$/m, `log_file="${join(folder, 'log')}"`)
    .replace(/^@include .*$/m, `database = { type = "sqlite3"; path = "${join(folder, 'database')}"; };`)
  writeFileSync(join(folder, 'config'), config)
  const program = spawn('glewlwyd', [`--config-file=${join(folder, 'config')}`], { stdio: 'ignore' })
  const stop = async () => {
    program.kill()
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await setUp(url, redirectUri, email)
  } catch (error) {
    await stop()
    throw error
  }
  return { issuer: `${url}/api/oidc`, clientId: client.id, clientSecret: client.secret, logIn, stop }
}

async function setUp(url: string, redirectUri: string, email: string): Promise<void> {
  let cookie = ''
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const logInAsAdmin = () => call('POST', '/auth/', { username: 'admin', password: 'password' })
  let loggedIn: Response | undefined
  for (let left = 100; loggedIn === undefined; left--)
    // oxlint-disable-next-line no-await-in-loop -- until it listens
    loggedIn = await logInAsAdmin().catch(async (error: unknown) => {
      if (left === 0) throw error
      await pause(100)
      return undefined
    })
  cookie = loggedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''

  // That an address is confirmed it does not know of people, unless it is told to.
  const isConfirmed = 'email_verified'
  await call('PUT', '/mod/user/database', {
    module: 'database',
    name: 'database',
    display_name: 'Database',
    enabled: true,
    parameters: {
      'use-glewlwyd-connection': true,
      'data-format': { [isConfirmed]: { multiple: false, read: true, write: true } },
    },
  })
  await call('PUT', '/mod/user/database/reset/', {})
  for (const name of scopes.slice(1))
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await call('POST', '/scope/', { name, display_name: name, password_required: true, scheme: {} })
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await call('POST', '/mod/plugin/', {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OpenID Connect',
    parameters: {
      iss: `${url}/api/oidc`,
      'jwt-type': 'rsa',
      'jwt-key-size': '256',
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: publicKey.export({ type: 'spki', format: 'pem' }),
      'access-token-duration': 3600,
      'refresh-token-duration': 3600,
      'code-duration': 600,
      'refresh-token-rolling': true,
      'allow-non-oidc': true,
      'auth-type-code-enabled': true,
      'auth-type-refresh-enabled': true,
      'pkce-allowed': true,
      'name-claim': 'on-demand',
      'name-claim-scope': ['profile'],
      'email-claim': 'on-demand',
      'email-claim-scope': ['email'],
      claims: [
        {
          name: isConfirmed,
          'user-property': isConfirmed,
          type: 'boolean',
          'boolean-value-true': '1',
          'boolean-value-false': '0',
          'on-demand': true,
          scope: ['email'],
        },
      ],
    },
  })
  await call('POST', '/client/', {
    client_id: client.id,
    name: 'Flamegate',
    enabled: true,
    confidential: true,
    client_secret: client.secret,
    password: client.secret,
    redirect_uri: [redirectUri],
    authorization_type: ['code'],
    // What OpenID Connect takes a client for that says nothing of it.
    token_endpoint_auth_method: ['client_secret_basic'],
    scope: scopes,
  })
  await call('POST', '/user/', { ...person, email, enabled: true, scope: scopes, [isConfirmed]: '1' })
}

async function logIn(page: Page): Promise<void> {
  await page.waitForURL(({ pathname }) => pathname === '/login.html')
  const { searchParams, origin } = new URL(page.url())
  // Its page needs scripts that the package does not bring: its API is asked as they would.
  const { request } = page.context()
  const asked = [
    await request.post(`${origin}/api/auth/`, {
      data: { username: person.username, password: person.password },
    }),
    await request.put(`${origin}/api/auth/grant/${client.id}`, { data: { scope: scopes.join(' ') } }),
  ]
  for (const answer of asked) if (!answer.ok()) throw new Error(`${answer.url()}: ${answer.status()}`)
  await page.goto(`${searchParams.get('callback_url')}&g_continue`)
}
