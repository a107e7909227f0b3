import { isProfileTag } from './formats/pprof-tables.ts'
import { isComment, splitCount } from './formats/collapsed.ts'
import { isObject, parseJson } from './formats/json.ts'
import { ProtobufCursor, wireBytes } from './formats/protobuf.ts'
import { FormatError } from './format-error.ts'
import { gunzip, isGzip } from './gunzip.ts'
import { limits } from './limits.ts'
import type { ProfileFormat } from './profile.ts'

/**
 * Tells the format of a file, gzipped or not, from its content. Undefined when it is none of ours.
 * Throws FormatError when the file is damaged so early that this cannot be told.
 */
export function detectProfileFormat(bytes: Uint8Array): ProfileFormat | undefined {
  const content = isGzip(bytes) ? gunzip(bytes, limits.decompressedBytes) : bytes
  return looksLikeJson(content) ? detectJsonFormat(parseJson(content)) : detectBinaryOrText(content)
}

/** The first character that is not white space opens an object; there may be a byte order mark. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  let index = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (bytes[index] === 0x20 || (bytes[index]! >= 0x09 && bytes[index]! <= 0x0d)) index++
  return bytes[index] === 0x7b
}

export function detectJsonFormat(document: unknown): ProfileFormat | undefined {
  if (!isObject(document)) return undefined
  if (isObject(document.shared) && 'profiles' in document) return 'speedscope'
  if (isObject(document.head)) return 'selfSize' in document.head ? 'heapprofile' : 'cpuprofile'
  // A heap snapshot has `nodes`, too, but they are numbers.
  if (Array.isArray(document.nodes) && isObject(document.nodes[0]) && 'endTime' in document)
    return 'cpuprofile'
  return undefined
}

export function detectBinaryOrText(bytes: Uint8Array): 'pprof' | 'collapsed' | undefined {
  if (looksLikePprof(bytes)) return 'pprof'
  return looksLikeCollapsed(bytes) ? 'collapsed' : undefined
}

/** The first fields have the numbers and wire types of `message Profile`, and one that matters is among them. */
function looksLikePprof(bytes: Uint8Array): boolean {
  const cursor = new ProtobufCursor(bytes, 'pprof')
  const samplesOrStrings = new Set([1, 2, 6])
  let hasKnown = false
  let fieldCount = 0
  try {
    for (; fieldCount < 100 && cursor.position < bytes.length; fieldCount++) {
      const tag = cursor.readTag()
      if (!isProfileTag(tag) || tag >>> 3 > 100) return false
      if ((tag & 7) === wireBytes && samplesOrStrings.has(tag >>> 3)) hasKnown = true
      cursor.skip(tag)
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    // Cut off: enough was seen to say what it is cut off from.
    return hasKnown && fieldCount >= 2
  }
  return hasKnown
}

/** At least half of the first lines are stacks with a count. Names have letters; tables of numbers do not. */
function looksLikeCollapsed(bytes: Uint8Array): boolean {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes.subarray(0, 4 * 1024 * 1024))
  if (text.includes('\0')) return false
  const lines = text
    .split('\n', 200)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !isComment(line))
  const stacks = lines.filter((line) => /\p{L}/u.test(splitCount(line)?.path ?? ''))
  return stacks.length > 0 && stacks.length * 2 >= lines.length
}
