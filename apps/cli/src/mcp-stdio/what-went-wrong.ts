import { InsufficientScopeError, SdkHttpError } from '@modelcontextprotocol/client'
import { z } from 'zod'

/** What sites say of a refusal: problem details, or an error of OAuth. */
const refusal = z.object({ detail: z.string().optional(), error_description: z.string().optional() })
const rpcError = z.looseObject({
  jsonrpc: z.literal('2.0'),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
})

export interface WentWrong {
  code: number
  message: string
  data?: unknown
}

/** Ours, and nobody else's: https://www.jsonrpc.org/specification#error_object */
const serverError = -32_000

/** Why a request has no answer, as an error of JSON-RPC whose message is for people. */
export function whatWentWrong(error: unknown): WentWrong {
  if (error instanceof SdkHttpError) return refusedBy(error)
  if (error instanceof InsufficientScopeError) {
    const { message, errorDescription = message } = error
    const what = 'Let flamegate-cli do more on the page Connected apps, and try again.'
    return { code: serverError, message: `${errorDescription} ${what}` }
  }
  if (!(error instanceof Error)) return { code: serverError, message: String(error) }
  const { cause } = error
  return {
    code: serverError,
    message: cause instanceof Error ? `Flamegate could not be reached (${cause.message}).` : error.message,
  }
}

/** The endpoint said an error of its own, or something before it refused. */
function refusedBy(error: SdkHttpError): WentWrong {
  const text = 'text' in error.data && typeof error.data.text === 'string' ? error.data.text : ''
  const body = jsonOf(text)
  const told = rpcError.safeParse(body)
  if (told.success) return told.data.error
  const { detail, error_description: description } = refusal.safeParse(body).data ?? {}
  return {
    code: serverError,
    message: detail ?? description ?? `Flamegate answered ${error.status} ${error.statusText ?? ''}`.trim(),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
