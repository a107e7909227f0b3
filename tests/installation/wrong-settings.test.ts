import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { apiConfig } from '../../apps/api/src/api-config.ts'
import { cliConfig } from '../../apps/cli/src/cli-config.ts'
import { gatewayConfig } from '../../apps/gateway/src/gateway-config.ts'
import { platformConfig } from '../../apps/platform/src/platform-config.ts'
import { workerConfig } from '../../apps/worker/src/worker-config.ts'
import { readConfig } from '../../packages/runtime/src/index.ts'

/** Processes of their own, started with settings that do not fit: they say which, and nothing else. */

const apps = join(import.meta.dirname, '../../apps')

async function start(app: string, env: Record<string, string>, file = 'main.ts') {
  const child = spawn(process.execPath, [join(apps, app, 'src', file)], {
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
  })
  const [words, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { status: Number(status), lines: words.trimEnd().split('\n') }
}

// At once: it is among the last files, when nothing else is left for the other processors.
test.concurrent.each(['gateway', 'api', 'worker'])(
  '%s names each setting in a line of its own, without a stack',
  async (app) => {
    const { status, lines } = await start(app, {
      FLAMEGATE_LOG_LEVEL: 'loud',
      FLAMEGATE_PUBLIC_URL: 'nowhere',
    })
    expect(status).toBe(1)
    const [heading, ...settings] = lines
    expect(heading).toMatch(/^\d settings are not right:$/)
    expect(settings.join('\n')).toMatch(/FLAMEGATE_LOG_LEVEL is "loud"[^]*FLAMEGATE_PUBLIC_URL is "nowhere"/)
    expect(settings.filter((line) => !/^ {2}[A-Z_]+ (?:is|has) /.test(line))).toEqual([])
  },
)

test.concurrent('the gateway names what is missing of a way to sign in', async () => {
  const { status, lines } = await start('gateway', {
    FLAMEGATE_PUBLIC_URL: 'https://flamegate.example',
    FLAMEGATE_API_URL: 'http://127.0.0.1:1',
    FLAMEGATE_DATABASE_AUTH_URL: 'postgresql://nobody:x@127.0.0.1:1/none',
    FLAMEGATE_GITHUB_CLIENT_ID: 'half',
  })
  expect(status).toBe(1)
  expect(lines).toEqual([
    'A setting is not right:',
    '  FLAMEGATE_GITHUB_CLIENT_SECRET must be set too, beside the others.',
  ])
})

const nowhere = 'postgresql://somebody:hush@127.0.0.1:1/none'
const complaint = (setting: string) =>
  `  ${setting}: PostgreSQL at 127.0.0.1:1 could not be asked (connect ECONNREFUSED 127.0.0.1:1). Start it, or set this to where it is.`

test.concurrent.each([
  ['gateway', 'main.ts', ['FLAMEGATE_DATABASE_AUTH_URL']],
  [
    'worker',
    'main.ts',
    ['FLAMEGATE_DATABASE_APP_URL', 'FLAMEGATE_DATABASE_AUTH_URL', 'FLAMEGATE_DATABASE_QUEUE_URL'],
  ],
  ['platform', 'prepare-database.ts', ['FLAMEGATE_DATABASE_ADMIN_URL']],
])(
  '%s (%s) says which databases it cannot reach, without a stack and without passwords',
  async (app, file, settings) => {
    const { status, lines } = await start(
      app,
      {
        FLAMEGATE_PUBLIC_URL: 'https://flamegate.example',
        FLAMEGATE_DATABASE_ADMIN_URL: nowhere,
        FLAMEGATE_DATABASE_OWNER_URL: nowhere,
        FLAMEGATE_DATABASE_APP_URL: nowhere,
        FLAMEGATE_DATABASE_AUTH_URL: nowhere,
        FLAMEGATE_DATABASE_QUEUE_URL: nowhere,
      },
      file,
    )
    expect(status).toBe(1)
    expect(lines.slice(1)).toEqual(settings.map(complaint))
  },
)

test.concurrent.each([
  [{ DATABASE_URL: nowhere }, complaint('DATABASE_URL')],
  [{ FLAMEGATE_HOST: '192.0.2.1' }, '  FLAMEGATE_HOST is "192.0.2.1". It is no address of this machine.'],
  [{ FLAMEGATE_DATA_DIR: join(import.meta.filename, 'data') }, '  FLAMEGATE_DATA_DIR is "'],
])('npm start says what is wrong, without a stack: %j', async (wrong, words) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'wrong-settings-'))
  const { status, lines } = await start('platform', {
    FLAMEGATE_DATA_DIR: dataDir,
    FLAMEGATE_PORT: '0',
    ...wrong,
  })
  await rm(dataDir, { recursive: true })
  expect(status).toBe(1)
  expect(lines.at(-2)).toBe('A setting is not right:')
  expect(lines.at(-1)).toContain(words)
})

test.each([
  [{ FLAMEGATE_TRUSTED_PROXIES: 'loopback,10.0.0.0/33' }, '10.0.0.0/33 is no address or CIDR range.'],
  [{ FLAMEGATE_ADMINS: 'ada@example.com,me' }, 'me is no e-mail address.'],
  [{ S3_ENDPOINT: 'minio:9000' }, 'S3_ENDPOINT is "minio:9000". Set it to a URL.'],
  [{ FLAMEGATE_PUBIC_URL: 'https://x.example' }, 'Is FLAMEGATE_PUBLIC_URL meant?'],
])('what could mean nothing is refused at the start: %j', (wrong, words) => {
  expect(() => readConfig(platformConfig, wrong)).toThrow(words)
})

test.each([
  [{ FLAMEGATE_ALLOWED_HOSTS: 'https://flamegate.example' }, 'https://flamegate.example is no host name'],
  [{ FLAMEGATE_ALLOWED_ORIGINS: 'localhost:6274' }, 'localhost:6274 is no origin'],
])('nor does the gateway take what no request can have: %j', (wrong, words) => {
  expect(() => readConfig(gatewayConfig, wrong)).toThrow(words)
})

test('what does mean something is taken', () => {
  const right = {
    FLAMEGATE_PUBLIC_URL: 'https://flamegate.example',
    FLAMEGATE_DATABASE_AUTH_URL: nowhere,
    FLAMEGATE_TRUSTED_PROXIES: 'loopback,uniquelocal,10.0.0.1,fd00::/8',
    FLAMEGATE_ALLOWED_HOSTS: 'other.example,[::1]',
    FLAMEGATE_ALLOWED_ORIGINS: 'http://localhost:6274,https://app.example.com',
  }
  expect(readConfig(gatewayConfig, right)).toMatchObject({
    FLAMEGATE_TRUSTED_PROXIES: ['loopback', 'uniquelocal', '10.0.0.1', 'fd00::/8'],
    FLAMEGATE_ALLOWED_HOSTS: ['other.example', '[::1]'],
  })
})

test('no setting is named so much like one of another process that it would be taken for it', () => {
  const schemas = [apiConfig, cliConfig, gatewayConfig, platformConfig, workerConfig]
  const names = schemas.flatMap((schema) => Object.keys(schema.shape))
  const set = Object.fromEntries(names.map((name) => [name, 'x']))
  for (const schema of schemas) {
    const reading = () => readConfig(schema.partial(), set)
    expect(reading).not.toThrow('is no setting')
  }
})
