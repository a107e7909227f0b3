import type { AnswerOf, Operation, RawInputOf } from '@flamegate/contract'
import { ApiProblem, ApiUnreachable, readProblem } from './api-problem.ts'
import { type BuiltRequest, buildRequest } from './build-request.ts'

export interface ClientOptions {
  /** Where the API is, without `/v1`, such as `https://flamegate.example`; empty in a browser means this origin. */
  baseUrl: string
  /**
   * OAuth access token or API token, or what gives one before each call; in a browser the session cookie speaks
   * instead. What gives tokens is asked once more, with the token that the API refused (401), and the call is made
   * again. What it throws, the call throws.
   */
  token?: string | ((refused?: string) => Promise<string>)
  /** Sent with every request, such as `user-agent`. */
  headers?: Readonly<Record<string, string>>
  /** The platform's fetch when left out. */
  fetch?: typeof globalThis.fetch
  /** How long one attempt may take; 30,000 when left out. */
  timeoutMs?: number
}

export interface CallOptions {
  /** Ends the call, with the signal's reason. */
  signal?: AbortSignal
  /** For creating calls that are repeated by hand: the same key answers the same thing. A fresh one when left out. */
  idempotencyKey?: string
}

export interface Client {
  /**
   * Calls an operation of the contract. Throws an ApiProblem when the API refuses, ApiUnreachable when there is
   * no answer, or one of something else, and the signal's reason when the caller gave up.
   */
  call<O extends AnyOperation>(
    operation: O,
    input: RawInputOf<O>,
    options?: CallOptions,
  ): Promise<AnswerOf<O>>
}

/** The parts of an operation that a call reads; every `Operation` has them, whatever its shapes. */
export type AnyOperation = Pick<Operation, 'id' | 'http' | 'pathParameters' | 'idempotent'>

const attempts = 3
const longestWaitSeconds = 10

/** A typed client of the REST API. Holds no state: one serves any number of calls at once. */
export function createClient(options: ClientOptions): Client {
  return {
    async call<O extends AnyOperation>(operation: O, input: RawInputOf<O>, call: CallOptions = {}) {
      const request = buildRequest(operation, input)
      request.headers['accept'] = 'application/json'
      if (operation.http.method === 'POST' && !operation.idempotent) {
        request.headers['idempotency-key'] = call.idempotencyKey ?? newIdempotencyKey()
      }
      return readAnswer<O>(await sendAs(options, request, call.signal))
    },
  }
}

/**
 * Not read by its schema again: the API parsed it on its way out, and a newer API may say more. Only that it is from the API,
 * and not the page of a proxy on the way.
 */
function readAnswer<O extends AnyOperation>(body: string): AnswerOf<O> {
  try {
    const answer: AnswerOf<O> = JSON.parse(body)
    return answer
  } catch (cause) {
    throw new ApiUnreachable('The server does not answer as Flamegate does.', { cause })
  }
}

/** Sends with the token, and once more when the API refuses the token and there is a way to another one. */
async function sendAs(
  { token, ...options }: ClientOptions,
  request: BuiltRequest,
  signal: AbortSignal | undefined,
): Promise<string> {
  const sendWith = (current: string | undefined) => {
    if (current !== undefined) request.headers['authorization'] = `Bearer ${current}`
    return send(options, request, signal)
  }
  if (typeof token !== 'function') return sendWith(token)
  const current = await token()
  try {
    return await sendWith(current)
  } catch (failure) {
    if (!(failure instanceof ApiProblem) || failure.status !== 401) throw failure
    return sendWith(await token(current))
  }
}

/** Sends once, or for GET up to three times: after a lost connection, and after 503 as long as Retry-After says. */
async function send(
  options: ClientOptions,
  request: BuiltRequest,
  signal: AbortSignal | undefined,
  attempt = 1,
): Promise<string> {
  const failure = await sendOnce(options, request, signal)
  if (typeof failure === 'string') return failure
  const waitSeconds = request.method === 'GET' ? secondsUntilRetry(failure, attempt) : undefined
  if (attempt === attempts || waitSeconds === undefined || waitSeconds > longestWaitSeconds) throw failure
  await pause(waitSeconds * 1000, signal)
  signal?.throwIfAborted()
  return send(options, request, signal, attempt + 1)
}

/** The body of a success, or what went wrong. */
async function sendOnce(
  options: ClientOptions,
  request: BuiltRequest,
  signal: AbortSignal | undefined,
): Promise<string | ApiProblem | ApiUnreachable> {
  const timeoutMs = options.timeoutMs ?? 30_000
  const timeout = AbortSignal.timeout(timeoutMs)
  const fetchOne = options.fetch ?? globalThis.fetch
  try {
    const response = await fetchOne(`${options.baseUrl}${request.target}`, {
      method: request.method,
      headers: {
        ...options.headers,
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    return response.ok ? await response.text() : await readProblem(response)
  } catch (cause) {
    signal?.throwIfAborted()
    return timeout.aborted
      ? new ApiUnreachable(`There was no answer within ${timeoutMs / 1000} s.`, { cause })
      : new ApiUnreachable('The server could not be reached.', { cause })
  }
}

function secondsUntilRetry(failure: ApiProblem | ApiUnreachable, attempt: number): number | undefined {
  if (failure instanceof ApiUnreachable) {
    // Some chance in the wait, so that many clients of one restarted server do not come back in step.
    return 0.2 * 2 ** attempt * (0.5 + Math.random() / 2)
  }
  return failure.status === 503 ? failure.retryAfterSeconds : undefined
}

/** Resolves after that time, or at once when the signal is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

// Not randomUUID: browsers offer that on secure origins only, and a self-hosted platform may be plain http.
function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
