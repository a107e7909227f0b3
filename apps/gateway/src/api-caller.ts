import { callerAssertionHeader } from '@flamegate/auth'
import type { CallerAssertions } from '@flamegate/auth'
import { callerLimits, Problem } from '@flamegate/contract'
import type { CallerLimit, Operation } from '@flamegate/contract'
import type { CallOrigin, Execute } from '@flamegate/operations'
import { addTraceHeaders, currentTraceId, withSpan } from '@flamegate/runtime'
import type { Logger } from '@flamegate/runtime'
import {
  callMarksHeader,
  callPath,
  mediaTypes,
  problemOf,
  problemResultJson,
  refusalMarkHeader,
  toolResultJson,
  wholeResultJson,
  writeCallMarks,
  type CallMarks,
} from '@flamegate/surfaces'
import { Pool } from 'undici'
import type { Dispatcher } from 'undici'
import { apiConnections, askedAgain } from './api-connections.ts'

/** What the API said to a call. */
export interface ApiAnswer {
  /** As over REST; what is wrong stands in the body too, as a result with `isError`. */
  status: number
  /** An MCP `CallToolResult` as JSON, an object without `resultType` and `_meta`. */
  body: string | Buffer
  /** The limit of the caller that refused: every call that counts against it, and costs as much, is refused alike for the next second. */
  callerLimit?: CallerLimit | undefined
}

/** Who calls, and how. */
export type ApiOrigin = CallOrigin & CallMarks

/** The one way from the gateway to the operations, wherever they run. */
export interface ApiCaller {
  /**
   * `input` is what the client sent as arguments, unread. Never rejects for what the API or the network did. Once the
   * signal is aborted nobody waits for the answer: the API is hung up on, stops reading, and finishes what it writes.
   */
  call(operation: Operation, input: unknown, origin: ApiOrigin, signal?: AbortSignal): Promise<ApiAnswer>
  close(): Promise<void>
}

export interface HttpApiCallerOptions {
  /** Origin of the API, reachable from here and not by strangers. */
  apiUrl: string
  assertions: Pick<CallerAssertions, 'sign'>
  /** Where problems are explained. */
  docsUrl: string
  log: Logger
  /** 55 s when left out: clients give up after a minute. */
  timeoutMs?: number
}

/** Calls an API that is another process, over connections that are kept. The client's own token stays here. */
export function httpApiCaller(options: HttpApiCallerOptions): ApiCaller {
  const { apiUrl, assertions, docsUrl, log, timeoutMs = 55_000 } = options
  const pool = new Pool(apiUrl, {
    ...apiConnections,
    connections: 64,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: 8 * 1_048_576,
  })

  return {
    async call(operation, input, { principal, requestId, ip, ...marks }, signal) {
      const told = writeCallMarks(marks)
      const assertion = await assertions.sign(principal)
      const headers = addTraceHeaders({
        'content-type': 'application/json',
        accept: mediaTypes.toolResult,
        [callerAssertionHeader]: assertion,
        'x-request-id': requestId,
        'x-forwarded-for': ip,
        ...(told === undefined ? {} : { [callMarksHeader]: told }),
      })
      const body = JSON.stringify(input ?? {})
      const path = callPath(operation.id, marks)
      const ask = () =>
        new Promise<ApiAnswer>((resolve, reject) => {
          pool.dispatch({ method: 'POST', path, headers, body }, new AnswerReader(resolve, reject, signal))
        })
      try {
        return await (operation.effect === 'read' ? askedAgain(ask) : ask())
      } catch (error) {
        if (signal?.aborted !== true) {
          log.error({ err: error, operation: operation.id, requestId }, 'the API did not answer')
        }
        return unavailable(operation, docsUrl, requestId)
      }
    },
    close: () => pool.close(),
  }
}

/** Runs operations in this very process. */
export function inProcessApiCaller(execute: Execute, docsUrl: string, log: Logger): ApiCaller {
  return {
    async call(operation, input, origin, signal) {
      try {
        const answer = await withSpan(operation.id, {}, () =>
          execute(operation, input, { ...origin, signal, traceId: currentTraceId() }),
        )
        const body =
          origin.isForGateway === true ? wholeResultJson(answer) : toolResultJson(operation, answer)
        return { status: operation.http.status, body }
      } catch (error) {
        const { requestId } = origin
        const problem = problemOf(error)
        if (problem === undefined) {
          log.error({ err: error, operation: operation.id, requestId }, 'unexpected error')
        }
        const seen = problem ?? defect(requestId)
        return {
          status: seen.status,
          body: problemResultJson(seen.toDetails(docsUrl, requestId)),
          callerLimit: seen.callerLimit,
        }
      }
    },
    close: () => Promise.resolve(),
  }
}

/** Gathers one answer, with nothing in between: undici's own promises and streams cost as much as all the rest. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: ApiAnswer) => void
  readonly #reject: (error: unknown) => void
  readonly #signal: AbortSignal | undefined
  readonly #chunks: Buffer[] = []
  #status = 0
  #type: unknown
  #callerLimit: CallerLimit | undefined

  #hangUp: (() => void) | undefined

  constructor(
    resolve: (answer: ApiAnswer) => void,
    reject: (error: unknown) => void,
    signal: AbortSignal | undefined,
  ) {
    this.#resolve = resolve
    this.#reject = reject
    this.#signal = signal
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#signal === undefined) return
    this.#hangUp = () => controller.abort(new Error('The client hung up'))
    if (this.#signal.aborted) this.#hangUp()
    else this.#signal.addEventListener('abort', this.#hangUp, { once: true })
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, unknown>): void {
    this.#status = status
    this.#type = headers['content-type']
    this.#callerLimit = callerLimits.find((limit) => limit === headers[refusalMarkHeader])
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#forgetSignal()
    // Something in between may answer in the API's place, in words that are no tool result.
    if (typeof this.#type !== 'string' || !this.#type.startsWith(mediaTypes.toolResult)) {
      this.#reject(new Error(`Status ${this.#status} with the content type ${String(this.#type)}`))
      return
    }
    const [first] = this.#chunks
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    this.#resolve({ status: this.#status, body, callerLimit: this.#callerLimit })
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#forgetSignal()
    this.#reject(error)
  }

  #forgetSignal(): void {
    if (this.#hangUp) this.#signal?.removeEventListener('abort', this.#hangUp)
  }
}

function defect(requestId: string): Problem {
  return new Problem(
    'internal',
    `This is a defect on our side. Tell us the request id ${requestId}, and try again later.`,
  )
}

function unavailable(operation: Operation, docsUrl: string, requestId: string): ApiAnswer {
  const detail =
    operation.effect === 'read'
      ? 'Try again in a few seconds.'
      : 'Whether it was done is not known. Look before you try again.'
  const problem = new Problem('unavailable', detail)
  return { status: problem.status, body: problemResultJson(problem.toDetails(docsUrl, requestId)) }
}
