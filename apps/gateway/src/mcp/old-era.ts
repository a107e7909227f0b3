import type { Transport } from '@modelcontextprotocol/server'
import { errorMessage } from './json-rpc.ts'

const invalidRequest = -32_600
const batchLengthMax = 50

/**
 * Why several messages in one body are not taken: only 2025-03-26 has such batches, which is what counts without a
 * version too. https://modelcontextprotocol.io/specification/2025-06-18/changelog
 */
export function batchRefusal(message: unknown, version: string | null): Response | undefined {
  if (!Array.isArray(message)) return undefined
  if (version !== null && version > '2025-03-26') {
    return refuse(
      `Batches are gone since 2025-06-18; this says that it is ${version}. Send one message at a time.`,
    )
  }
  if (message.length > batchLengthMax) return refuse(`At most ${batchLengthMax} messages in one batch.`)
  return undefined
}

/**
 * A batch as it can be answered as a whole, any other message as it is: a request that is cancelled in the same breath gets its answer
 * all the same, as one that was too far on. The SDK would give none, and wait for it with all the others.
 */
export function withoutCancelling(message: unknown): unknown {
  return Array.isArray(message) ? message.filter((each) => !isCancelling(each)) : message
}

function isCancelling(message: unknown): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === 'notifications/cancelled'
  )
}

/** The answer to a batch: a list also of a single answer (JSON-RPC 2.0, 6), which the SDK gives bare. */
export async function listOfAnswers(response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const answers = await response.text()
  return new Response(answers.startsWith('[') ? answers : `[${answers}]`, { headers: response.headers })
}

function refuse(why: string): Response {
  return new Response(errorMessage(invalidRequest, `Invalid Request: ${why}`), {
    status: 400,
    headers: { 'content-type': 'application/json' },
  })
}

/**
 * The code for a missing resource was -32002 up to 2025-11-25 and is -32602 since. The SDK says -32602 to all, with
 * the `uri` and nothing else as data, by which it is known.
 * https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling
 */
export function speakOldErrors<T extends Transport>(transport: T): T {
  const send = transport.send.bind(transport)
  transport.send = (message, options) =>
    send(
      'error' in message && message.error.code === -32_602 && isResourceNotFound(message.error.data)
        ? { ...message, error: { ...message.error, code: -32_002 } }
        : message,
      options,
    )
  return transport
}

function isResourceNotFound(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.keys(data).join() === 'uri'
}
