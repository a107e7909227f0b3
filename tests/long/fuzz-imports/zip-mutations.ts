import { constants, crc32, deflateRawSync } from 'node:zlib'
import {
  unzipSync,
  Zip,
  type ZipInputFile,
  ZipPassThrough,
  ZipDeflate,
} from '../../../packages/loadtest/src/testing/zip.ts'
import { jsonMutations } from '../fuzzing/json-mutations.ts'
import { inputBytesMax, type Mutation } from '../fuzzing/mutation.ts'
import type { Random } from '../fuzzing/random.ts'
import { textMutations } from '../fuzzing/text-mutations.ts'
import { nestedMutations } from './nested-mutations.ts'

/** Files by their names, of which one may come twice. */
type Entries = [name: string, content: Uint8Array][]

/** Changes of the files in it, in place, which are packed again as they should be. */
function ofEntries(
  change: (entries: Entries, random: Random, other: Uint8Array, words: readonly string[]) => void,
): Mutation {
  return (bytes, random, { other, words }) => {
    const entries = unpacked(bytes)
    if (entries === undefined) return undefined
    change(entries, random, other, words)
    const zipped = packed(entries, random.below(2) === 0)
    return zipped.length > inputBytesMax ? undefined : zipped
  }
}

/** Undefined when it is no ZIP file, or has nothing small in it. */
function unpacked(bytes: Uint8Array): Entries | undefined {
  try {
    const entries = unzipSync(bytes, { filter: ({ originalSize }) => originalSize <= inputBytesMax })
    return Object.keys(entries).length === 0 ? undefined : Object.entries(entries)
  } catch {
    return undefined
  }
}

/** A ZIP file, with one more in it that is packed already. */
function packed(
  entries: Entries,
  isDeflated: boolean,
  last?: ZipInputFile,
  lastPacked?: Uint8Array,
): Uint8Array {
  const written: Uint8Array[] = []
  const zip = new Zip((_error, data) => written.push(data))
  for (const [name, content] of entries) {
    const file =
      isDeflated && entries.length < 100 ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name)
    file.mtime = '1980-01-02T00:00:00.000Z'
    zip.add(file)
    file.push(new Uint8Array(content), true)
  }
  if (last !== undefined && lastPacked !== undefined) {
    zip.add(last)
    last.ondata?.(null, new Uint8Array(lastPacked), true)
  }
  zip.end()
  return Buffer.concat(written)
}

const changeFile = ofEntries((entries, random, other, words) => {
  const entry = random.pick(entries)
  const [, content] = entry
  const mutations = content[0] === 0x7b ? [...jsonMutations, ...nestedMutations] : textMutations
  entry[1] = random.pick(mutations)(content, random, { other, words }) ?? content
})

const names = [
  '../a',
  'files/../../etc/passwd',
  '/etc/passwd',
  'C:\\a',
  'files\\a',
  'files/',
  'files//a',
  'files/./a',
  'files/a/',
  'files/\u0000',
  `files/${'a'.repeat(300)}`,
  `${'a/'.repeat(5000)}a`,
  '',
  '.',
  'manifest.json',
  'MANIFEST.JSON',
  'virtual-users/.json',
  'virtual-users/a.json',
  'virtual-users/../a.json',
  'virtual-users/__proto__.json',
  'http-servers/srv_1.json',
  'variables/var_1.json',
  '__proto__',
  'constructor',
  'files/__proto__',
]

const renameFile = ofEntries((entries, random) => {
  random.pick(entries)[0] = random.pick(names)
})

const copyFile = ofEntries((entries, random) => {
  const [name, content] = random.pick(entries)
  entries.push([random.pick([...names, name]), content])
})

const removeFile = ofEntries((entries, random) => {
  entries.splice(random.below(entries.length), 1)
})

const exchangeFiles = ofEntries((entries, random) => {
  const [one, two] = [random.pick(entries), random.pick(entries)]
  ;[one[1], two[1]] = [two[1], one[1]]
})

const manyFiles = ofEntries((entries, random) => {
  const [, content] = random.pick(entries)
  const folder = random.pick(['files/', 'variables/', 'other/', 'virtual-users/'])
  const count = Math.min(random.pick([10, 1000, 9000]), Math.ceil(700_000 / (content.length + 100)))
  for (let index = 0; index < count; index += 1) entries.push([`${folder}n${index}.json`, content])
})

const megabyte = 1_000_000

/** What compresses best, a megabyte of each, as a part of a stream that may be there again and again. */
const bombParts = ['\0', '[', '{"a":', '[],', ' ', '"a",', '1e9,', '{"type":"delay"},'].map((text) => {
  const bytes = Buffer.alloc(megabyte, text)
  return { bytes, packed: deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH }) }
})
/** An empty block that is the last one (RFC 1951). */
const lastBlock = Uint8Array.of(3, 0)

/** A file more, which unpacks to a thousand times as much, and is all that its header says. */
const bomb: Mutation = (bytes, random) => {
  const entries = unpacked(bytes)
  if (entries === undefined) return undefined
  const name = random.pick(['files/bomb', 'virtual-users/bomb.json', 'other', 'manifest.json'])
  const megabytes = random.pick([1, 10, 49, 199, 201])
  const part = random.pick(bombParts)
  let crc = 0
  for (let index = 0; index < megabytes; index += 1) crc = crc32(part.bytes, crc)

  const file: ZipInputFile = {
    filename: name,
    size: megabytes * megabyte,
    crc,
    compression: 8,
    mtime: '1980-01-02T00:00:00.000Z',
  }
  return packed(
    entries.filter(([other]) => other !== name),
    true,
    file,
    Buffer.concat([...Array.from({ length: megabytes }, () => part.packed), lastBlock]),
  )
}

const signatures = ['PK\u0003\u0004', 'PK\u0001\u0002', 'PK\u0005\u0006'].map((text) =>
  Buffer.from(text, 'latin1'),
)

/** A length, offset, count, flag or method in a header of the file, which is not packed anew. */
const changeHeader: Mutation = (bytes, random) => {
  const copy = Buffer.from(bytes)
  const signature = random.pick(signatures)
  const places: number[] = []
  for (let at = copy.indexOf(signature); at !== -1; at = copy.indexOf(signature, at + 1)) places.push(at)
  if (places.length === 0) return undefined
  const at = random.pick(places) + 4 + 2 * random.below(20)
  if (at + 4 > copy.length) return undefined
  const value = random.pick([
    0,
    1,
    8,
    9,
    99,
    0xff,
    0xffff,
    0x7fffffff,
    0xffffffff,
    100_000_000,
    copy.length,
    random.below(copy.length),
  ])
  if (random.below(2) === 0) copy.writeUInt16LE(value & 0xffff, at)
  else copy.writeUInt32LE(value, at)
  return copy
}

/** Streams that overlap: every entry of the directory is the same bytes of the file. */
const overlap: Mutation = (bytes) => {
  const copy = Buffer.from(bytes)
  const head = Buffer.from('PK\u0001\u0002', 'latin1')
  for (let at = copy.indexOf(head); at !== -1 && at + 46 < copy.length; at = copy.indexOf(head, at + 1))
    copy.writeUInt32LE(0, at + 42)
  return copy
}

const prefixed: Mutation = (bytes, random) =>
  Buffer.concat([deflateRawSync(Buffer.alloc(random.pick([10, 10_000]), 'a')), bytes])

const commented: Mutation = (bytes, random) => {
  const comment = Buffer.alloc(random.pick([1, 1000, 65_535]), random.pick(['a', 'PK\u0005\u0006']))
  return Buffer.concat([bytes, comment]).subarray(0, inputBytesMax)
}

export const zipMutations: readonly Mutation[] = [
  changeFile,
  changeFile,
  changeFile,
  changeFile,
  changeFile,
  changeFile,
  renameFile,
  copyFile,
  removeFile,
  exchangeFiles,
  manyFiles,
  changeHeader,
  changeHeader,
  changeHeader,
  overlap,
  prefixed,
  commented,
]

/** Slow to make, so seldom. */
export const zipBombs: readonly Mutation[] = [bomb]
