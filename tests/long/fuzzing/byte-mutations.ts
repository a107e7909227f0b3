import { joined, type Mutation } from './mutation.ts'

const changeBytes: Mutation = (bytes, random) => {
  const copy = new Uint8Array(bytes)
  for (let times = 1 + random.mostlySmall(16); times > 0; times -= 1) {
    copy[random.below(copy.length)] = random.below(256)
  }
  return copy
}

const flipBits: Mutation = (bytes, random) => {
  const copy = new Uint8Array(bytes)
  for (let times = 1 + random.mostlySmall(8); times > 0; times -= 1) {
    const at = random.below(copy.length)
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8))
  }
  return copy
}

const cutOut: Mutation = (bytes, random) => {
  const from = random.below(bytes.length)
  return joined(bytes.subarray(0, from), bytes.subarray(from + 1 + random.mostlySmall(bytes.length)))
}

const cutEnd: Mutation = (bytes, random) => bytes.slice(0, random.below(bytes.length))

const cutStart: Mutation = (bytes, random) => bytes.slice(random.mostlySmall(bytes.length))

/** A part again and again, which makes lists of records longer than their counts, and nesting deeper. */
const repeatPart: Mutation = (bytes, random) => {
  const from = random.below(bytes.length)
  const part = bytes.subarray(from, from + 1 + random.mostlySmall(bytes.length))
  const times = 1 + random.mostlySmall(Math.min(20_000, Math.ceil(200_000 / part.length)))
  return joined(bytes.subarray(0, from), ...Array.from({ length: times }, () => part), bytes.subarray(from))
}

const movePart: Mutation = (bytes, random) => {
  const from = random.below(bytes.length)
  const end = from + 1 + random.mostlySmall(bytes.length - from)
  const rest = joined(bytes.subarray(0, from), bytes.subarray(end))
  const to = random.below(rest.length)
  return joined(rest.subarray(0, to), bytes.subarray(from, end), rest.subarray(to))
}

/** Whole numbers of 1, 2, 4 and 8 bytes in either order, as lengths, counts and offsets are written. */
const changeInteger: Mutation = (bytes, random) => {
  const width = random.pick([1, 2, 4, 8])
  if (bytes.length < width) return undefined
  const value = random.pick([
    0n,
    1n,
    0x7fn,
    0xffn,
    0x7fffn,
    0xffffn,
    0xffffffn,
    0x7fffffffn,
    0x80000000n,
    0xffffffffn,
    2n ** 53n,
    2n ** 63n,
    2n ** 64n - 1n,
    BigInt(bytes.length),
    BigInt(bytes.length + 1),
  ])
  const copy = new Uint8Array(bytes)
  const at = random.below(copy.length - width + 1)
  const isLittleEndian = random.below(2) === 0
  for (let index = 0; index < width; index += 1) {
    const shift = BigInt(8 * (isLittleEndian ? index : width - 1 - index))
    copy[at + index] = Number((value >> shift) & 0xffn)
  }
  return copy
}

/** A number of 7 bits per byte is replaced by another, which may be as long as it likes. */
const changeVarint: Mutation = (bytes, random) => {
  const at = random.below(bytes.length)
  let end = at
  while (end < bytes.length - 1 && (bytes[end] ?? 0) >= 0x80) end += 1
  const ones = Array.from({ length: random.pick([1, 2, 4, 5, 8, 9, 10, 11, 100]) }, () =>
    random.pick([0xff, 0x80, 0x81]),
  )
  const last = random.pick([0, 1, 2, 0x7f])
  return joined(bytes.subarray(0, at), Uint8Array.from([...ones, last]), bytes.subarray(end + 1))
}

const splice: Mutation = (bytes, random, { other }) =>
  joined(bytes.subarray(0, random.below(bytes.length)), other.subarray(random.below(other.length)))

const insertFromOther: Mutation = (bytes, random, { other }) => {
  const at = random.below(bytes.length)
  const from = random.below(other.length)
  const part = other.subarray(from, from + 1 + random.mostlySmall(4096))
  return joined(bytes.subarray(0, at), part, bytes.subarray(at + random.pick([0, part.length])))
}

const append: Mutation = (bytes, _random, { other }) => joined(bytes, other)

const insertWord: Mutation = (bytes, random, { words }) => {
  const at = random.below(bytes.length)
  const word = Buffer.from(random.pick(words))
  return joined(bytes.subarray(0, at), word, bytes.subarray(at + random.pick([0, word.length])))
}

export const byteMutations: readonly Mutation[] = [
  changeBytes,
  flipBits,
  cutOut,
  cutEnd,
  cutStart,
  repeatPart,
  movePart,
  changeInteger,
  changeInteger,
  changeVarint,
  changeVarint,
  splice,
  insertFromOther,
  append,
  insertWord,
]
