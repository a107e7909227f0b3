/** JSON-RPC 2.0 as text, so that what is JSON already is not read again. */

export type MessageId = string | number

/** Codes of JSON-RPC, and the one that MCP servers use for refusals of the transport. */
export const rpcErrorCodes = { parseError: -32_700, internal: -32_603, transport: -32_000 } as const

/** An error; without an `id` it answers no request that could be read. */
export function errorMessage(code: number, message: string, id: MessageId | null = null): string {
  return `{"jsonrpc":"2.0","error":{"code":${code},"message":${JSON.stringify(message)}},"id":${JSON.stringify(id)}}`
}

/** A result to the request `id`; `result` is JSON. */
export function resultMessage(id: MessageId, result: string | Buffer): string | Buffer {
  const head = headOf(id)
  if (typeof result === 'string') return `${head}${result}}`
  return Buffer.concat([Buffer.from(head), result, closing])
}

/**
 * The same with members put first: `members` is JSON without braces, such as `"resultType":"complete"`, and
 * `result` an object that has none of them and is not empty.
 */
export function resultMessageWith(id: MessageId, members: string, result: string | Buffer): string | Buffer {
  const head = `${headOf(id)}{${members},`
  if (typeof result === 'string') return `${head}${result.slice(1)}}`
  return Buffer.concat([Buffer.from(head), result.subarray(1), closing])
}

const closing = Buffer.from('}')

/** What stands before and after a result, so that a large one is not copied for each answer. */
export function resultAround(id: MessageId): [head: string, tail: string] {
  return [headOf(id), '}']
}

function headOf(id: MessageId): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`
}
