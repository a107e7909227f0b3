import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { MessageId } from './json-rpc.ts'
import type { ToolCall } from './tool-calls.ts'

/** `modern` is 2026-07-28, where every request says its version; `legacy` is what began with `initialize`. */
export type Era = 'modern' | 'legacy'

/** One of the few requests that make up nearly all traffic, without anything unusual about it. */
export type PlainRequest = { id: MessageId; era: Era } & (
  | { method: 'ping' }
  | { method: 'tools/list' }
  | ({ method: 'tools/call'; meta: RequestMeta | undefined } & ToolCall)
)

/** `_meta` of a request: of it only the progress token was read. */
export type RequestMeta = Json & { progressToken?: MessageId }

type Json = Record<string, unknown>

/** The one revision that is read here; what a later one asks for is for the SDK to know. */
const modernVersion = '2026-07-28'
const legacyVersions = new Set<string>(SUPPORTED_PROTOCOL_VERSIONS)
const memberNames = new Set(['jsonrpc', 'id', 'method', 'params'])
const listParameters = new Set(['_meta'])
const callParameters = new Set(['_meta', 'name', 'arguments', 'inputResponses', 'requestState'])

/**
 * Recognizes a request that can be answered without the SDK. Only what is certainly right counts: whatever is
 * missing, malformed, contradictory or rare gives undefined and is left to the SDK, whose errors are exact.
 */
export function readPlainRequest(body: unknown, headers: IncomingHttpHeaders): PlainRequest | undefined {
  if (!isObject(body) || body['jsonrpc'] !== '2.0' || !hasOnly(body, memberNames)) return undefined
  const { id, method, params } = body
  if (!isMessageId(id)) return undefined
  if (params !== undefined && !isObject(params)) return undefined
  const era = eraOf(method, params, headers)
  if (era === undefined) return undefined
  const request = { id, era }

  if (method === 'ping') return era === 'legacy' ? { ...request, method } : undefined
  if (method === 'tools/list') {
    return params === undefined || hasOnly(params, listParameters) ? { ...request, method } : undefined
  }
  if (method !== 'tools/call' || params === undefined || !hasOnly(params, callParameters)) return undefined
  const { name, inputResponses, requestState, _meta: meta } = params
  // Some clients send null for none.
  const input = params['arguments'] ?? undefined
  if (typeof name !== 'string' || (input !== undefined && !isObject(input))) return undefined
  if (era === 'modern' && headers['mcp-name'] !== name) return undefined
  // Members of 2026-07-28, which before it were unknown ones.
  const isRetry = inputResponses !== undefined || requestState !== undefined
  if (isRetry && (era === 'legacy' || typeof requestState !== 'string' || !isObject(inputResponses))) {
    return undefined
  }
  return {
    ...request,
    method,
    name,
    input,
    meta: isRequestMeta(meta) ? meta : undefined,
    ...(era === 'modern' && isObject(meta) ? { capabilities: meta[CLIENT_CAPABILITIES_META_KEY] } : {}),
    ...(isRetry ? { inputResponses, requestState } : {}),
  }
}

/** Undefined when the request does not hold everything that its revision asks of it. */
function eraOf(method: unknown, params: Json | undefined, headers: IncomingHttpHeaders): Era | undefined {
  const meta = params?.['_meta']
  const version = headers['mcp-protocol-version']
  if (meta !== undefined && !isRequestMeta(meta)) return undefined
  if (meta === undefined || !(PROTOCOL_VERSION_META_KEY in meta)) {
    // Streamable HTTP before 2026-07-28: the client takes both, and may say one of the old versions.
    if (version !== undefined && (typeof version !== 'string' || !legacyVersions.has(version)))
      return undefined
    if (meta !== undefined && RELATED_TASK_META_KEY in meta) return undefined
    return acceptsJsonAndStreams(headers.accept) ? 'legacy' : undefined
  }
  if (meta[PROTOCOL_VERSION_META_KEY] !== modernVersion || version !== modernVersion) return undefined
  if (headers['mcp-method'] !== method || LOG_LEVEL_META_KEY in meta) return undefined
  if (!isObject(meta[CLIENT_CAPABILITIES_META_KEY]) || !isImplementation(meta[CLIENT_INFO_META_KEY]))
    return undefined
  return 'modern'
}

function acceptsJsonAndStreams(accept: string | undefined): boolean {
  const isNamed = accept?.includes('application/json') === true && accept.includes('text/event-stream')
  return isNamed || acceptsAnything(accept)
}

/** What programs send that were told of no types, or nothing at all: whatever is answered is taken (RFC 9110, 12.5.1). */
export function acceptsAnything(accept: string | null | undefined): boolean {
  return accept === undefined || accept === null || accept.includes('*/*')
}

function isImplementation(value: unknown): boolean {
  if (value === undefined) return true
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
}

function isRequestMeta(value: unknown): value is RequestMeta {
  return isObject(value) && (!('progressToken' in value) || isMessageId(value['progressToken']))
}

function isMessageId(value: unknown): value is MessageId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(value: Json, names: ReadonlySet<string>): boolean {
  for (const name in value) if (!names.has(name)) return false
  return true
}
