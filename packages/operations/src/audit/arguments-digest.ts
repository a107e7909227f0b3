import { createHmac, hash } from 'node:crypto'

/** No tool takes anything deeper; what is, came to exhaust a stack. */
const deepest = 64

/** Keys of workspaces that are remembered. */
const mostKeys = 10_000

/** Null for what is nested too deeply to be arguments. */
export type ArgumentsDigest = (workspaceId: string | null, input: unknown) => string | null

/**
 * Tells whether two calls were made with the same arguments, without saying which: HMAC-SHA-256, in hex, of the
 * arguments as they came, as canonical JSON (RFC 8785). Many arguments are one of a few words that somebody could try
 * out, so it is keyed; and keyed per workspace, so that nobody sees that two workspaces asked the same. The key of a
 * workspace is the HMAC of its id under the installation's key. Calls about no workspace share the key of ''.
 */
export function createArgumentsDigest(key: string): ArgumentsDigest {
  const macs = new Map<string, (text: string) => string>()

  function macOf(workspaceId: string): (text: string) => string {
    const known = macs.get(workspaceId)
    if (known !== undefined) return known
    const made = hmac(createHmac('sha256', key).update(workspaceId).digest())
    if (macs.size >= mostKeys) macs.clear()
    macs.set(workspaceId, made)
    return made
  }

  return (workspaceId, input) => {
    const json = canonicalJson(input ?? {}, 0)
    return json === undefined ? null : macOf(workspaceId ?? '')(json)
  }
}

const blockBytes = 64

/** HMAC-SHA-256 under one key of at most a block, in hex: `createHmac` takes several times as long for a short text. */
function hmac(key: Buffer): (text: string) => string {
  const padded = Buffer.alloc(blockBytes)
  key.copy(padded)
  const inner = padded.map((byte) => byte ^ 0x36)
  const outer = padded.map((byte) => byte ^ 0x5c)
  return (text) => {
    const hashed = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')
    return hash('sha256', Buffer.concat([outer, hashed]), 'hex')
  }
}

/** Members in the order of their names' UTF-16 code units; undefined when it is too deep. */
function canonicalJson(value: unknown, depth: number): string | undefined {
  if (depth > deepest) return undefined
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const parts: string[] = []
  const isList = Array.isArray(value)
  const members = isList ? value.map((item, index) => [String(index), item] as const) : sorted(value)
  for (const [name, member] of members) {
    if (member === undefined && !isList) continue
    const json = canonicalJson(member, depth + 1)
    if (json === undefined) return undefined
    parts.push(isList ? json : `${JSON.stringify(name)}:${json}`)
  }
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
}

function sorted(value: object): (readonly [string, unknown])[] {
  return Object.keys(value)
    .toSorted()
    .map((name) => [name, Reflect.get(value, name)] as const)
}
