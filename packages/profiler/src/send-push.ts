import type { LivePush } from '@flamegate/live'
import type { PushOutcome } from '@flamegate/live/push-queue'
import * as http from 'node:http'
import * as https from 'node:https'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const timeoutMs = 15_000
const answerCharactersMax = 10_000
const compress = promisify(gzip)

export interface Destination {
  /** Of the platform. */
  url: URL
  app: string
  token: string
}

/** Sends pushes over one connection that does not keep the program alive. */
export function createSender({ url, app, token }: Destination): (push: LivePush) => Promise<PushOutcome> {
  const { Agent, request } = url.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const address = new URL(
    `${url.pathname.replace(/\/+$/, '')}/v1/live-apps/${encodeURIComponent(app)}/pushes`,
    url,
  )
  return async (push) => {
    // The fastest level: the program's own processor time is what this costs.
    const body = await compress(JSON.stringify(push), { level: constants.Z_BEST_SPEED })
    return new Promise((resolve, reject) => {
      const sent = request(
        address,
        {
          method: 'POST',
          agent,
          timeout: timeoutMs,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'content-encoding': 'gzip',
            'content-length': body.length,
          },
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (part: string) => {
            if (text.length < answerCharactersMax) text += part
          })
          answer.on('error', reject)
          answer.on('end', () => resolve(outcomeOf(answer, text)))
        },
      )
      sent.on('socket', (socket) => socket.unref())
      sent.on('timeout', () => sent.destroy(new Error('The platform did not answer in time.')))
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

function outcomeOf({ statusCode = 0, headers }: http.IncomingMessage, text: string): PushOutcome {
  const seconds = Number(headers['retry-after'])
  return {
    status: statusCode,
    ...(headers['retry-after'] !== undefined && seconds >= 0 && { retryAfterMs: seconds * 1000 }),
    ...(statusCode >= 300 && { reason: reasonOf(statusCode, text) }),
  }
}

/** Refusals are problem details. */
function reasonOf(status: number, text: string): string {
  try {
    const { detail, title }: { detail?: string; title?: string } = JSON.parse(text)
    return `${status}: ${detail ?? title ?? text}`
  } catch {
    return `${status}: ${text.slice(0, 200)}`
  }
}
