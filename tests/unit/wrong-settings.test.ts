import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Processes of their own, started with settings that do not fit: they say which, and nothing else. */

const apps = join(import.meta.dirname, '../../apps')

function start(app: string, env: Record<string, string>) {
  const { status, stderr } = spawnSync(process.execPath, [join(apps, app, 'src/main.ts')], {
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { status, lines: stderr.trimEnd().split('\n') }
}

test.each(['gateway', 'api', 'worker'])(
  '%s names each setting in a line of its own, without a stack',
  (app) => {
    const { status, lines } = start(app, { FLAMEGATE_LOG_LEVEL: 'loud', FLAMEGATE_PUBLIC_URL: 'nowhere' })
    expect(status).toBe(1)
    const [heading, ...settings] = lines
    expect(heading).toMatch(/^\d settings are not right:$/)
    expect(settings.join('\n')).toMatch(/FLAMEGATE_LOG_LEVEL is "loud"[^]*FLAMEGATE_PUBLIC_URL is "nowhere"/)
    expect(settings.filter((line) => !/^ {2}[A-Z_]+ (?:is|has) /.test(line))).toEqual([])
  },
)

test('the gateway names what is missing of a way to sign in', () => {
  const { status, lines } = start('gateway', {
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
