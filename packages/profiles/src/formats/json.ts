import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { ProfileFormat } from '../profile.ts'
import { decodeUtf8 } from './text.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** What makes a file smaller, whatever wrote it. */
const lessJson = 'record for less time, or export fewer threads'

/** Parses JSON of bounded size and bounded number of objects; FormatError says where it broke. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length > limits.jsonBytes) {
    throw new FormatError(`JSON of ${bytes.length} bytes; at most ${limits.jsonBytes} are read: ${lessJson}`)
  }
  const openBrace = 0x7b
  const openBracket = 0x5b
  let containers = 0
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] === openBrace || bytes[index] === openBracket) containers++
  }
  if (containers > limits.jsonContainers) {
    throw new FormatError(`JSON with more than ${limits.jsonContainers} arrays and objects: ${lessJson}`)
  }
  const text = decodeUtf8(bytes, {})
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (cause) {
    const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    const where = `character ${position ?? text.length}`
    throw new FormatError('the file looks like JSON but is not, or is cut off', { where, cause })
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * What a number or a text says, NaN for anything else: Number() would write out a list first, which may nest deeper than the
 * stack of calls.
 */
export function plainNumber(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

/** Reads typed values out of parsed JSON; every refusal names the path. */
export class JsonReader {
  readonly format: ProfileFormat | undefined

  constructor(format?: ProfileFormat) {
    this.format = format
  }

  fail(message: string, path: string): never {
    throw new FormatError(message, { format: this.format, where: path })
  }

  object(value: unknown, path: string): JsonObject {
    return isObject(value) ? value : this.fail('expected an object', path)
  }

  array(value: unknown, path: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.fail('expected an array', path)
  }

  string(value: unknown, path: string): string {
    return typeof value === 'string' ? value : this.fail('expected a string', path)
  }

  /** A finite number. */
  number(value: unknown, path: string): number {
    return typeof value === 'number' && Number.isFinite(value) ? value : this.fail('expected a number', path)
  }

  /** A finite number, which some tools write as a text. */
  numberOrText(value: unknown, path: string): number {
    return this.number(typeof value === 'string' && value.trim() !== '' ? Number(value) : value, path)
  }

  /** A column of finite numbers; the path of an element is only built when it is refused. */
  numbers(value: unknown, path: string): Float64Array {
    const elements = this.array(value, path)
    const column = new Float64Array(elements.length)
    for (let index = 0; index < elements.length; index++) {
      const element = elements[index]
      if (typeof element !== 'number' || !Number.isFinite(element)) {
        this.fail('expected a number', `${path}[${index}]`)
      }
      column[index] = element
    }
    return column
  }
}
