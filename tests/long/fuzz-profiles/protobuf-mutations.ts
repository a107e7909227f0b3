import { joined, type Mutation } from '../fuzzing/mutation.ts'
import type { Random } from '../fuzzing/random.ts'

/** A field as it is in the bytes: all of it, and of a message what is inside. */
interface Field {
  from: number
  contentFrom: number
  end: number
  wireType: number
}

/** Changes of a message's fields, of which the lengths around them are put right. */
function ofMessage(
  change: (bytes: Uint8Array, fields: readonly Field[], random: Random) => Uint8Array,
): Mutation {
  const changed = (bytes: Uint8Array, random: Random, depth: number): Uint8Array | undefined => {
    const fields = fieldsOf(bytes)
    if (fields === undefined) return undefined
    const field = random.pick(fields)
    if (field.wireType === 2 && depth < 4 && random.below(4) > 0) {
      const inside = changed(bytes.subarray(field.contentFrom, field.end), random, depth + 1)
      if (inside !== undefined) {
        const tag = bytes.subarray(field.from, field.from + 1)
        return joined(
          bytes.subarray(0, field.from),
          tag,
          varint(BigInt(inside.length)),
          inside,
          bytes.subarray(field.end),
        )
      }
    }
    return change(bytes, fields, random)
  }
  return (bytes, random) => changed(bytes, random, 0)
}

/** Undefined when these are not fields with numbers below 16, of which the formats have no others. */
function fieldsOf(bytes: Uint8Array): Field[] | undefined {
  const fields: Field[] = []
  for (let from = 0; from < bytes.length;) {
    const tag = bytes[from] ?? 0
    const wireType = tag & 7
    if (tag >= 0x80 || tag < 8 || ![0, 1, 2, 5].includes(wireType)) return undefined
    let contentFrom = from + 1
    let end = contentFrom + (wireType === 1 ? 8 : 4)
    if (wireType === 0 || wireType === 2) {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[contentFrom]
        if (byte === undefined || shift > 63) return undefined
        value += (byte & 0x7f) * 2 ** shift
        contentFrom += 1
        if (byte < 0x80) break
      }
      end = wireType === 2 ? contentFrom + value : contentFrom
    }
    if (end > bytes.length) return undefined
    fields.push({ from, contentFrom, end, wireType })
    from = end
  }
  return fields.length === 0 ? undefined : fields
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Uint8Array.from([...bytes, Number(rest)])
}

const changeNumber = ofMessage((bytes, fields, random) => {
  const numbers = fields.filter(({ wireType }) => wireType === 0)
  if (numbers.length === 0) return bytes
  const { from, end } = random.pick(numbers)
  const value = random.pick([
    0n,
    1n,
    2n,
    BigInt(random.below(300)),
    BigInt(random.mostlySmall(2 ** 31)),
    2n ** 31n,
    2n ** 32n - 1n,
    2n ** 53n + 1n,
    2n ** 63n - 1n,
    2n ** 63n,
    2n ** 64n - 1n,
  ])
  return joined(bytes.subarray(0, from + 1), varint(value), bytes.subarray(end))
})

const removeField = ofMessage((bytes, fields, random) => {
  const { from, end } = random.pick(fields)
  return joined(bytes.subarray(0, from), bytes.subarray(end))
})

const repeatField = ofMessage((bytes, fields, random) => {
  const { from, end } = random.pick(fields)
  const field = bytes.subarray(from, end)
  const times = random.mostlySmall(Math.ceil(100_000 / field.length))
  return joined(bytes.subarray(0, end), ...Array.from({ length: times }, () => field), bytes.subarray(end))
})

const moveField = ofMessage((bytes, fields, random) => {
  const [one, two] = [random.pick(fields), random.pick(fields)]
  const [first, second] = one.from <= two.from ? [one, two] : [two, one]
  return joined(
    bytes.subarray(0, first.from),
    bytes.subarray(second.from, second.end),
    bytes.subarray(first.from, second.from),
    bytes.subarray(second.end),
  )
})

/** The number or the type of a field, and so what it means. */
const changeTag = ofMessage((bytes, fields, random) => {
  const { from, wireType } = random.pick(fields)
  const copy = new Uint8Array(bytes)
  copy[from] = ((1 + random.below(15)) << 3) | (random.below(3) === 0 ? random.below(8) : wireType)
  return copy
})

const changeContent = ofMessage((bytes, fields, random) => {
  const { contentFrom, end } = random.pick(fields)
  const copy = new Uint8Array(bytes)
  if (end > contentFrom) copy[contentFrom + random.below(end - contentFrom)] = random.below(256)
  return copy
})

/** As protobuf is written (https://protobuf.dev/programming-guides/encoding/). */
export const protobufMutations: readonly Mutation[] = [
  changeNumber,
  changeNumber,
  changeNumber,
  removeField,
  repeatField,
  moveField,
  changeTag,
  changeContent,
]

/** By its first field, and that the rest is made of fields, too. */
export function isProtobuf(bytes: Uint8Array): boolean {
  return fieldsOf(bytes) !== undefined
}
