import type { CallFailure } from './wire.ts'

/** Where a server may tell in `_meta` of a result how long it took, in ms. */
export const serverTimeMetaKey = 'flamegate.dev/server-time-ms'

/** What an answer of JSON-RPC says. */
export interface ReadMessage {
  result: unknown
  serverTimeMs: number | null
  failure: CallFailure | null
}

/** Reads the answer to a request, as it came out of JSON. */
export function readMessage(message: Readonly<Record<string, unknown>>): ReadMessage {
  const { result, error } = message
  if (isObject(error)) {
    const { code, message: text } = error
    return {
      result: undefined,
      serverTimeMs: null,
      failure: {
        kind: 'json_rpc',
        code: typeof code === 'number' ? Math.trunc(code) : null,
        message: typeof text === 'string' ? text : 'No message.',
      },
    }
  }
  if (!isObject(result)) {
    return {
      result: undefined,
      serverTimeMs: null,
      failure: noJsonRpc('An answer with neither result nor error.'),
    }
  }
  const time = isObject(result['_meta']) ? result['_meta'][serverTimeMetaKey] : undefined
  return {
    result,
    serverTimeMs: typeof time === 'number' && time >= 0 ? time : null,
    failure:
      result['isError'] === true
        ? { kind: 'is_error', code: null, message: firstText(result['content']) }
        : null,
  }
}

/** The number of the request that a message answers; undefined of others. Some servers write it as a text, which clients take. */
export function answeredId(message: Readonly<Record<string, unknown>>): number | undefined {
  const { id } = message
  if ('method' in message || (typeof id !== 'number' && typeof id !== 'string')) return undefined
  return Number(id)
}

export function noJsonRpc(message: string): CallFailure {
  return { kind: 'transport', code: null, message }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function firstText(content: unknown): string {
  const texts: unknown[] = Array.isArray(content)
    ? content.map((each: unknown) => isObject(each) && each['text'])
    : []
  return texts.find((text) => typeof text === 'string') ?? 'The tool says that it failed.'
}
