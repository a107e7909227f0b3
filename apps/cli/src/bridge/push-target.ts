import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { readProblem } from '@flamegate/client'
import type { LivePush, PushOutcome } from '@flamegate/live'
import type { CommandLine, Option } from '../arguments/command-line.ts'
import { siteUrl } from '../cli-config.ts'
import { renderProblem } from '../problem-text.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const compress = promisify(gzip)
const timeoutMs = 30_000

/** Where a bridge pushes to, and with which token. */
export interface PushTarget {
  url: string
  appId: string
  token: string
}

export const targetOptions: readonly Option[] = [
  { name: 'app', value: '<id>', description: 'The live app (app_…); FLAMEGATE_LIVE_APP when left out.' },
  {
    name: 'token',
    value: '<text>',
    description:
      'Its token (fg_…), which can push to it and do nothing else; FLAMEGATE_LIVE_TOKEN or FLAMEGATE_TOKEN when left out, where other programs of this machine do not see it.',
  },
  {
    name: 'url',
    value: '<url>',
    description: 'Where Flamegate is; FLAMEGATE_LIVE_URL or FLAMEGATE_URL when left out.',
  },
]

/** @throws UsageError */
export function readPushTarget(line: CommandLine, { env }: Terminal): PushTarget {
  const appId = line.text('app') ?? (env['FLAMEGATE_LIVE_APP'] || undefined)
  const token = line.text('token') ?? (env['FLAMEGATE_LIVE_TOKEN'] || env['FLAMEGATE_TOKEN'] || undefined)
  const url = siteUrl(line.text('url') ?? (env['FLAMEGATE_LIVE_URL'] || env['FLAMEGATE_URL'] || undefined))
  if (appId === undefined) throw new UsageError('Say to which live app it pushes: --app app_…')
  if (token === undefined) throw new UsageError('Give the token of the live app: --token fg_…')
  const { protocol, hostname } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isHere)
    throw new UsageError('A bridge connects by https alone: set --url to such an address.')
  return { url, appId, token }
}

/** Sends a push to the live app. Throws when there is no answer. */
export async function sendPush({ url, appId, token }: PushTarget, push: LivePush): Promise<PushOutcome> {
  const body = await compress(JSON.stringify(push))
  const response = await fetch(`${url}/v1/live-apps/${encodeURIComponent(appId)}/pushes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'user-agent': 'flamegate-cli',
    },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.ok) {
    await response.arrayBuffer()
    return { status: response.status }
  }
  const problem = await readProblem(response)
  const seconds = problem.retryAfterSeconds
  return {
    status: response.status,
    reason: renderProblem(problem),
    ...(seconds === undefined ? {} : { retryAfterMs: seconds * 1000 }),
  }
}
