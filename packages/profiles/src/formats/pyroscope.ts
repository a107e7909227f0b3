import { FormatError } from '../format-error.ts'
import { gunzip, isGzip } from '../gunzip.ts'
import { limits } from '../limits.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { ProtobufCursor } from './protobuf.ts'
import { textLines } from './text-lines.ts'

const format = 'collapsed'
/** Of all names that a trie puts together. */
const trieCharactersMax = 2 ** 28

/** How stacks and their counts are written down: nothing in the bytes tells it. */
export type StackLayout = 'folded' | 'lines' | 'trie' | 'tree'

/**
 * Reads counted stacks as agents of Pyroscope push them, besides the formats that tell themselves:
 * https://github.com/grafana/pyroscope/tree/main/pkg/og
 *
 * - `folded`: `root;leaf 12` per line; `lines`: `root;leaf` once per sample.
 * - `trie`: keys `root;leaf` as a prefix tree (`structs/transporttrie/serialize.go`), in depth-first order: length of a
 *   piece of a key, the piece, the value of the key that ends here, and how many pieces go on from here.
 * - `tree`: the same for functions in place of pieces of keys (`storage/tree/serialize.go`, the form without a dictionary);
 *   the first one is the root of all.
 *
 * @param valueType what is counted, of which each count is `scale` of its unit
 */
export function readStacks(
  bytes: Uint8Array,
  layout: StackLayout,
  { scale, ...valueType }: SampleType & { scale: number },
): ImportedProfile {
  const content = isGzip(bytes) ? gunzip(bytes, limits.decompressedBytes) : bytes
  const builder = new ProfileBuilder({ format, sampleTypes: [valueType] })
  const warnings: string[] = []
  const add = (node: number, count: number) => builder.add(node, [count * scale], { sampleCount: count })
  if (layout === 'tree') readTree(content, builder, add)
  else if (layout === 'trie') readTrie(content, (stack, count) => add(nodeOf(builder, stack), count))
  else readLines(content, layout, warnings, (stack, count) => add(nodeOf(builder, stack), count))
  return builder.finish({ warnings })
}

function nodeOf(builder: ProfileBuilder, stack: string): number {
  let node = 0
  for (const name of stack.split(';')) {
    node = builder.child(node, builder.functions.intern(name || '(unknown)', ''))
  }
  return node
}

type AddStack = (stack: string, count: number) => void

function readLines(bytes: Uint8Array, layout: 'folded' | 'lines', warnings: string[], add: AddStack): void {
  let skipped = 0
  for (const text of textLines(bytes, format)) {
    const line = text.trim()
    if (line === '') continue
    // The count is last, because names may hold spaces.
    const space = layout === 'lines' ? line.length : line.lastIndexOf(' ')
    const count = layout === 'lines' ? 1 : Number(line.slice(space + 1))
    if (space < 1 || !Number.isSafeInteger(count) || count < 0) skipped++
    else add(line.slice(0, space), count)
  }
  if (skipped > 0) warnings.push(`${skipped} lines that are no stacks with a count were skipped.`)
}

function readTrie(bytes: Uint8Array, add: AddStack): void {
  const cursor = new ProtobufCursor(bytes, format)
  const decoder = new TextDecoder()
  /** Of each piece that is open: what the key was before it, and how many pieces are still to come below it. */
  const open: { before: Uint8Array; left: number }[] = []
  let characters = 0
  for (;;) {
    const before = open.at(-1)?.before ?? new Uint8Array()
    const piece = readName(cursor)
    const value = cursor.readUint()
    const children = cursor.readUint()
    characters += before.length + piece.length
    if (characters > trieCharactersMax) cursor.fail('the keys of the trie are too long')
    const key = piece.length === 0 ? before : Buffer.concat([before, piece])
    if (value > 0) add(decoder.decode(key), value)
    if (children > 0) open.push({ before: key, left: children })
    else closeEnded(open)
    if (open.length === 0) return
  }
}

function readTree(
  bytes: Uint8Array,
  builder: ProfileBuilder,
  add: (node: number, count: number) => void,
): void {
  const cursor = new ProtobufCursor(bytes, format)
  const decoder = new TextDecoder()
  const open: { node: number; left: number }[] = []
  for (let isRoot = true; ; isRoot = false) {
    const name = decoder.decode(readName(cursor))
    const self = cursor.readUint()
    const children = cursor.readUint()
    const parent = open.at(-1)?.node ?? 0
    const node = isRoot ? 0 : builder.child(parent, builder.functions.intern(name || '(unknown)', ''))
    if (self > 0) add(node, self)
    if (children > 0) open.push({ node, left: children })
    else closeEnded(open)
    if (open.length === 0) return
  }
}

/** One that was below the last has ended; with it those that were only waiting for it. */
function closeEnded(open: { left: number }[]): void {
  while (open.length > 0) {
    const last = open.at(-1)!
    last.left--
    if (last.left > 0) return
    open.pop()
  }
}

function readName(cursor: ProtobufCursor): Uint8Array {
  if (cursor.position >= cursor.end) throw new FormatError('the file is cut off', { format })
  const end = cursor.readLength()
  const name = cursor.bytes.subarray(cursor.position, end)
  cursor.position = end
  return name
}
