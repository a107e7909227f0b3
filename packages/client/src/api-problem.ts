import type { FieldError, ProblemCode, ProblemDetails, ProblemHint } from '@flamegate/contract'
import { problemDetailForPeople, problems } from '@flamegate/contract/problem'

/** What the API refused, with its RFC 9457 problem details. `message` is for people: what happened and what to do. */
export class ApiProblem extends Error {
  readonly status: number
  /** A code of the contract's problem table, or `unknown` when something else than the API answered. */
  readonly code: ProblemCode | 'unknown'
  readonly title: string
  /** One entry per field of the input that was wrong; empty when the problem is not about fields. */
  readonly errors: readonly FieldError[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(details: Omit<ProblemDetails, 'type' | 'code'> & { code: ApiProblem['code'] }) {
    super(problemDetailForPeople(details))
    this.name = 'ApiProblem'
    this.status = details.status
    this.code = details.code
    this.title = details.title
    this.errors = details.errors ?? []
    this.requestId = details.request_id
    this.retryAfterSeconds = details.retry_after_seconds
  }
}

/** There was no answer of the API: no connection, none in time, or something else answered. The cause is the platform's error. */
export class ApiUnreachable extends Error {
  constructor(message: string, options: { cause: unknown }) {
    super(message, options)
    this.name = 'ApiUnreachable'
  }
}

/**
 * Reads an answer that is no success. The body of a problem is believed field by field, because proxies between
 * here and the API answer in their own words.
 */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'))
  const body = await readJson(response)
  const code = text(body, 'code')
  const title = text(body, 'title') ?? `The server answered ${response.status}`
  return new ApiProblem({
    status: response.status,
    code: code !== undefined && isProblemCode(code) ? code : 'unknown',
    title,
    detail: text(body, 'detail') ?? title,
    hint: hintOf(body),
    errors: fieldErrors(body),
    request_id: text(body, 'request_id') ?? response.headers.get('x-request-id') ?? undefined,
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
  })
}

/** Seconds of a `Retry-After` header (RFC 9110, 10.2.3): delay in seconds, or a date. */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000)
}

async function readJson(response: Response): Promise<unknown> {
  const content = await response.text()
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

function text(body: unknown, name: string): string | undefined {
  const value = isRecord(body) ? body[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

function fieldErrors(body: unknown): FieldError[] {
  const errors = isRecord(body) && Array.isArray(body['errors']) ? body['errors'] : []
  return errors.flatMap((error) => {
    const field = text(error, 'field')
    const message = text(error, 'message')
    return field === undefined || message === undefined ? [] : [{ field, message }]
  })
}

function hintOf(body: unknown): ProblemHint | undefined {
  const hint = isRecord(body) ? body['hint'] : undefined
  const [operation, title, does] = [text(hint, 'operation'), text(hint, 'title'), text(hint, 'text')]
  if (operation === undefined || title === undefined || does === undefined) return undefined
  return { operation, title, text: does }
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
