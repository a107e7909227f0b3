import { FormatError } from '../format-error.ts'
import { hiddenFrames } from './pprof-text-hidden.ts'
import { readJavaLocations } from './pprof-text-java.ts'
import { format, LineCursor } from './pprof-text-lines.ts'
import { AddressProfile, dropDoubledLeaves } from './pprof-text-profile.ts'

interface WordLayout {
  size: 4 | 8
  isLittleEndian: boolean
}

const layouts: WordLayout[] = [
  { size: 4, isLittleEndian: true },
  { size: 4, isLittleEndian: false },
  { size: 8, isLittleEndian: true },
  { size: 8, isLittleEndian: false },
]
const headerWords = 5

interface CpuHeader {
  layout: WordLayout
  isJava: boolean
  periodMicros: bigint
}

/** 0, 3, whether it is Java, the sampling period in µs, 0: five words of 4 or 8 bytes, in either order of bytes. */
export function cpuHeader(bytes: Uint8Array): CpuHeader | undefined {
  for (const layout of layouts) {
    if (bytes.length < headerWords * layout.size) continue
    const words = new Words(bytes, layout)
    const [zero, version, java, periodMicros, padding] = Array.from({ length: headerWords }, () =>
      words.next(),
    )
    if (zero !== 0n || version !== 3n || periodMicros === 0n || padding !== 0n) continue
    if (java === 0n || java === 1n) return { layout, isJava: java === 1n, periodMicros: periodMicros! }
  }
  return undefined
}

/**
 * The binary profile of gperftools and of Go before 1.9: words of how often, how deep, and the addresses, innermost first;
 * 0 1 0 at the end, then a memory map, or the locations of Java.
 * https://gperftools.github.io/gperftools/cpuprofile-fileformat.html
 */
export function readCpu(bytes: Uint8Array, { layout, isJava, periodMicros }: CpuHeader): AddressProfile {
  const profile = new AddressProfile(
    [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    hiddenFrames.profiler,
  )
  const words = new Words(bytes, layout)
  for (let index = 0; index < headerWords; index++) words.next()
  const periodNanos = Number(periodMicros) * 1000
  let hasEnd = false
  while (!hasEnd && words.left > 0) {
    const count = Number(words.next())
    const depth = Number(words.next())
    if (depth > words.left) words.cutOff()
    const addresses = Array.from({ length: depth }, () => words.next())
    hasEnd = count === 0 && depth === 1 && addresses[0] === 0n
    if (hasEnd) break
    const stack = addresses.map((address, index) =>
      profile.locationOf(address, { isReturn: index > 0 && !isJava }),
    )
    profile.add({ stack, values: [count, count * periodNanos], sampleCount: count })
  }
  if (!hasEnd) profile.warnings.push('The file has no end mark: it may be cut off.')
  const rest = new LineCursor(bytes.subarray(words.position))
  if (isJava) {
    readJavaLocations(rest, profile)
    return profile
  }
  dropHandlerFrames(profile)
  for (; rest.line !== undefined; rest.next()) profile.memoryMap.addLine(rest.line)
  dropDoubledLeaves(profile)
  return profile
}

/** Up to two frames that nearly all stacks have second are of the handler of the signal, and were not running. */
function dropHandlerFrames(profile: AddressProfile): void {
  for (let round = 0; round < 2; round++) {
    const counts = new Map<number, number>()
    for (const { stack } of profile.samples) {
      const [, second] = stack
      if (second !== undefined) counts.set(second, (counts.get(second) ?? 0) + 1)
    }
    const needed = profile.samples.length - Math.floor(profile.samples.length / 32)
    const handler = [...counts].find(([, count]) => count >= needed)?.[0]
    if (handler === undefined) return
    profile.mapStacks((stack) => (stack[1] === handler ? stack.toSpliced(1, 1) : stack))
  }
}

class Words {
  position = 0
  private readonly view: DataView
  private readonly layout: WordLayout

  constructor(bytes: Uint8Array, layout: WordLayout) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.layout = layout
  }

  /** Whole words that are left. */
  get left(): number {
    return Math.floor((this.view.byteLength - this.position) / this.layout.size)
  }

  next(): bigint {
    const { size, isLittleEndian } = this.layout
    if (this.left === 0) this.cutOff()
    const { position } = this
    this.position += size
    return size === 8
      ? this.view.getBigUint64(position, isLittleEndian)
      : BigInt(this.view.getUint32(position, isLittleEndian))
  }

  cutOff(): never {
    throw new FormatError('the file is cut off', { format, where: `byte ${this.position}` })
  }
}
