import { FormatError } from './format-error.ts'
import { isObject, parseJson, type JsonObject } from './formats/json.ts'
import type { ProfileFormat } from './profile.ts'

const headBytes = 64 * 1024

/** An uncompressed file, and what importers want to know of it to tell whether it is theirs; each is worked out once. */
export class ProfileFile {
  readonly bytes: Uint8Array
  private knownHead: string | undefined
  private parsed: { json: unknown; error?: FormatError } | undefined

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** The first 64 KiB as text; what is not UTF-8 (or, after its byte order mark, UTF-16LE) is replaced. */
  get head(): string {
    const isUtf16 = this.bytes[0] === 0xff && this.bytes[1] === 0xfe
    this.knownHead ??= new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(
      this.bytes.subarray(0, headBytes),
    )
    return this.knownHead
  }

  /** The whole file as JSON; undefined when it is none. */
  get json(): unknown {
    return this.parse().json
  }

  /** The whole file as an object of JSON; undefined when it is none. */
  get jsonObject(): JsonObject | undefined {
    return isObject(this.json) ? this.json : undefined
  }

  /** As `jsonObject`. @throws FormatError when there is none */
  needJsonObject(format: ProfileFormat): JsonObject {
    const object = this.jsonObject
    if (object !== undefined) return object
    throw this.jsonError ?? new FormatError('the file is not of this format', { format })
  }

  /** Why the file is not JSON, although it begins as if. */
  get jsonError(): FormatError | undefined {
    return this.parse().error
  }

  private parse(): { json: unknown; error?: FormatError } {
    this.parsed ??= looksLikeJson(this.bytes) ? parsedOrError(this.bytes) : { json: undefined }
    return this.parsed
  }
}

function parsedOrError(bytes: Uint8Array): { json: unknown; error?: FormatError } {
  try {
    return { json: parseJson(bytes) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { json: undefined, error }
  }
}

/** After white space, which a byte order mark may precede, an object opens, or a list of objects. */
function looksLikeJson(bytes: Uint8Array): boolean {
  const start = skipSpace(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)
  if (bytes[start] === 0x7b) return true
  return bytes[start] === 0x5b && bytes[skipSpace(bytes, start + 1)] === 0x7b
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let index = start
  while (bytes[index] === 0x20 || (bytes[index]! >= 0x09 && bytes[index]! <= 0x0d)) index++
  return index
}
