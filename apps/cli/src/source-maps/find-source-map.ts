import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A source map that is there, as it is written. */
export interface FoundSourceMap {
  /** Where it is, or for one within its script where it would be: sources are relative to that. */
  path: string
  bytes: Uint8Array
}

const scriptBytesMax = 64 * 1024 * 1024

/**
 * The source map of a script: what the script itself says on its last lines (`//# sourceMappingURL=`), else the file beside it,
 * else what `named` finds, which is a guess. Nothing is fetched over a network.
 * https://tc39.es/ecma426/#sec-linking-generated-code
 */
export async function findSourceMap(
  script: string,
  named: (script: string) => string | undefined,
): Promise<FoundSourceMap | undefined> {
  const path = pathOf(script)
  const own = path === undefined ? undefined : await ownMap(path)
  if (own !== undefined) return own
  const inFolder = named(script)
  return inFolder === undefined ? undefined : readMap(inFolder)
}

async function ownMap(path: string): Promise<FoundSourceMap | undefined> {
  const text = await readScript(path)
  if (text === undefined) return undefined
  const link = linkOf(text)
  if (link?.startsWith('data:') === true) {
    const bytes = contentOf(link)
    return bytes && { path: `${await realpath(path)}.map`, bytes }
  }
  const linked = link === undefined ? undefined : linkedPath(link, path)
  return (linked === undefined ? undefined : await readMap(linked)) ?? readMap(`${path}.map`)
}

/** Undefined for what is not on this machine. */
function pathOf(script: string): string | undefined {
  const [address = ''] = script.split('?', 1)
  if (/^(\/|[A-Za-z]:[\\/])/.test(address)) return address
  return address.startsWith('file:') ? localPath(address) : undefined
}

function localPath(address: string): string | undefined {
  try {
    return fileURLToPath(address)
  } catch {
    return undefined
  }
}

async function readScript(path: string): Promise<string | undefined> {
  const facts = await stat(path).catch(() => undefined)
  if (facts?.isFile() !== true || facts.size > scriptBytesMax) return undefined
  return readFile(path, 'utf8').catch(() => undefined)
}

/** The last one counts; a script may hold others in texts. */
function linkOf(text: string): string | undefined {
  const at = Math.max(text.lastIndexOf('//# sourceMappingURL='), text.lastIndexOf('//@ sourceMappingURL='))
  if (at < 0) return undefined
  const start = at + '//# sourceMappingURL='.length
  const length = text.slice(start).search(/\s|$/)
  return text.slice(start, start + length)
}

/** https://www.rfc-editor.org/rfc/rfc2397 */
function contentOf(link: string): Uint8Array | undefined {
  const comma = link.indexOf(',')
  if (comma < 0) return undefined
  const content = link.slice(comma + 1)
  if (/;base64$/i.test(link.slice(0, comma))) return Buffer.from(content, 'base64')
  try {
    return Buffer.from(decodeURIComponent(content))
  } catch {
    return undefined
  }
}

function linkedPath(link: string, script: string): string | undefined {
  if (link.startsWith('file:')) return localPath(link)
  if (/^[a-z][\w+.-]*:/i.test(link)) return undefined
  try {
    return resolve(dirname(script), decodeURIComponent(link.split(/[?#]/, 1)[0]!))
  } catch {
    return undefined
  }
}

async function readMap(path: string): Promise<FoundSourceMap | undefined> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isFile() ? { path: real, bytes: await readFile(real) } : undefined
  } catch {
    return undefined
  }
}
