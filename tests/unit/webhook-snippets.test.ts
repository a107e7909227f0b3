import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newWebhookSecret, signedHeaders } from '../../packages/operations/src/monitoring/sign-message.ts'

/** What docs/webhooks.md gives people to copy does what it says. */

const page = readFileSync(resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
const snippet = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

const body = '{"type":"ping","words":"Größe"}'
const secret = newWebhookSecret()

const languages = [
  {
    name: 'Node.js',
    verdict: (headers: object, text: string, withSecret: string) =>
      run(process.execPath, ['--input-type=module', '-e'], snippet('js'), {
        program: 'console.log(isGenuine(...JSON.parse(process.argv[1])))',
        args: [headers, text, withSecret],
      }),
  },
  {
    name: 'Python',
    verdict: (headers: object, text: string, withSecret: string) =>
      run('python3', ['-c'], snippet('python'), {
        program: 'import json, sys\nh, b, s = json.loads(sys.argv[1])\nprint(is_genuine(h, b.encode(), s))',
        args: [headers, text, withSecret],
      }),
  },
]

function run(
  command: string,
  options: string[],
  code: string,
  { program, args }: { program: string; args: unknown[] },
): boolean {
  const said = execFileSync(command, [...options, `${code}\n${program}`, JSON.stringify(args)], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
  return said.trim().toLowerCase() === 'true'
}

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function sentHeaders(sentAt = new Date(), secrets = [newWebhookSecret(), secret]): Record<string, string> {
  return signedHeaders({ id: 'dlv_1', sentAt, body }, secrets)
}

describe.each(languages)('verification in $name', ({ name, verdict }) => {
  test.skipIf(name === 'Python' && !hasPython())('takes what is ours and nothing else', () => {
    expect({
      genuine: verdict(sentHeaders(), body, secret),
      changed: verdict(sentHeaders(), body.replace('ping', 'pong'), secret),
      ofAnotherSecret: verdict(sentHeaders(new Date(), [newWebhookSecret()]), body, secret),
      old: verdict(sentHeaders(new Date(Date.now() - 600_000)), body, secret),
    }).toEqual({ genuine: true, changed: false, ofAnotherSecret: false, old: false })
  })
})
