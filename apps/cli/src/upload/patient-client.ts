import { randomUUID } from 'node:crypto'
import { ApiProblem, ApiUnreachable, type AnyOperation, type Client } from '@flamegate/client'
import type { Terminal } from '../terminal.ts'

const attemptsMax = 6
/** The client makes each of these three times by itself. */
const readAttemptsMax = 2
const longestWaitSeconds = 120

/**
 * A client for where nobody watches: a call that found no connection, a server in trouble (5xx) or a limit (429) is made
 * again, after as long as `Retry-After` says, else after waits that grow from half a second. All attempts carry one
 * idempotency key, so that an answer that was lost on its way makes nothing twice.
 */
export function patientClient(client: Client, terminal: Pick<Terminal, 'pause' | 'writeError'>): Client {
  return {
    async call(operation, input, options = {}) {
      const once = { ...options, idempotencyKey: options.idempotencyKey ?? randomUUID() }
      return attempt(() => client.call(operation, input, once), operation)
    },
  }

  async function attempt<T>(call: () => Promise<T>, operation: AnyOperation, number = 1): Promise<T> {
    try {
      return await call()
    } catch (error) {
      const seconds = secondsUntilRetry(error, number)
      const most = operation.http.method === 'GET' ? readAttemptsMax : attemptsMax
      if (seconds === undefined || number === most || seconds > longestWaitSeconds) throw error
      terminal.writeError(`${operation.id}: ${reason(error)} Trying again in ${seconds.toFixed(1)} s.\n`)
      await terminal.pause(seconds * 1000)
      return attempt(call, operation, number + 1)
    }
  }
}

/** Undefined for what trying again does not help. */
function secondsUntilRetry(error: unknown, attempt: number): number | undefined {
  // Some chance in the wait, so that the jobs of one pipeline do not come back in step.
  const growing = 0.5 * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
  if (error instanceof ApiUnreachable) return growing
  if (!(error instanceof ApiProblem)) return undefined
  const isPassing = error.status === 429 || error.status >= 500 || error.code === 'request_in_progress'
  return isPassing ? (error.retryAfterSeconds ?? growing) : undefined
}

function reason(error: unknown): string {
  return error instanceof ApiProblem ? `${error.title}.` : 'The server could not be reached.'
}
