import type { Importer, ImportOptions } from '../importer.ts'
import { limits } from '../limits.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { isZstd, unzstd, unzstdStart } from '../zstd.ts'
import { isMemtrackEvent, readMemtrackEvents, type MemtrackEvents } from './memtrack-events.ts'

/** What gives memory to the program, and by which name it is shown. */
const allocators: Readonly<Record<string, string>> = {
  Malloc: 'malloc',
  Calloc: 'calloc',
  Realloc: 'realloc',
  AlignedAlloc: 'aligned_alloc',
}
const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
const sampleTypes = [
  { type: 'alloc_space', unit: 'bytes' },
  { type: 'alloc_objects', unit: 'count' },
  { type: 'peak_space', unit: 'bytes' },
  { type: 'peak_objects', unit: 'count' },
  { type: 'inuse_space', unit: 'bytes' },
  { type: 'inuse_objects', unit: 'count' },
]

/**
 * What CodSpeed's memory instrument records, `<pid>.MemtrackArtifact.msgpack`: each call of the allocator with its time, and
 * no stacks. Msgpack maps that follow each other, in zstd frames that follow each other, or bare.
 * https://github.com/CodSpeedHQ/codspeed, crates/runner-shared/src/artifacts/memtrack
 *
 * So the tree tells which sizes were asked of which function, `malloc` → `64 B – 128 B`, in all (`alloc_space`,
 * `alloc_objects`), when the heap was largest (`peak_space`, `peak_objects`), and at the end (`inuse_space`,
 * `inuse_objects`). A block stays what it was asked for as, whoever gives it back. Process and thread are labels, and the
 * timeline has the bytes of each call. Blocks from before the first event are not known.
 *
 * `Mmap`, `Munmap` and `Brk` are how the allocator itself gets memory, so they are not added to what it hands out; a warning
 * says how many there were. A file that ends within an event is one up to there: the program may have been ended.
 */
export const memtrack: Importer = {
  format: 'memtrack',
  recognizes: ({ bytes }) => isMemtrackEvent(isZstd(bytes) ? unzstdStart(bytes) : bytes),
  read: ({ bytes }, options) => readMemtrack(bytes, options),
}

function readMemtrack(
  bytes: Uint8Array,
  { maxNodes, maxDecompressedBytes = limits.decompressedBytes }: ImportOptions,
): ImportedProfile {
  const { content, isWhole } = isZstd(bytes)
    ? unzstd(bytes, Math.min(maxDecompressedBytes, limits.decompressedBytes))
    : { content: bytes, isWhole: true }
  const events = readMemtrackEvents(content)
  const builder = new ProfileBuilder({ format: 'memtrack', sampleTypes, maxNodes })
  const heap = new Heap(builder)
  const order = inOrderOfTime(events)
  const startNs = events.timesNs[order[0] ?? 0]!
  let systemCount = 0
  for (const event of order) {
    const type = events.types[events.typeIndexes[event]!]!
    const pid = events.pids[event]!
    const address = events.addresses[event]!
    if (type === 'Free') heap.release(pid, address)
    else if (Object.hasOwn(allocators, type)) {
      const oldAddress = events.oldAddresses[event]!
      if (oldAddress >= 0) heap.release(pid, oldAddress)
      // Also what an old version does not tell: a block that grew in its place, or one whose end was missed.
      heap.release(pid, address)
      heap.allocate({
        pid,
        tid: events.tids[event]!,
        address,
        size: events.sizes[event]!,
        functionName: allocators[type]!,
        timeMs: (events.timesNs[event]! - startNs) / 1e6,
      })
    } else systemCount++
  }
  heap.finish()
  const warnings: string[] = []
  if (events.isCut || !isWhole) warnings.push(`The file is cut after event ${events.count}.`)
  if (systemCount > 0) {
    warnings.push(
      `${systemCount} events of memory that the system gave (Mmap, Munmap, Brk) are not added to the heap.`,
    )
  }
  const endNs = events.timesNs[order[order.length - 1] ?? 0]!
  return builder.finish({ durationMs: (endNs - startNs) / 1e6, warnings })
}

/** Each thread has its events in order, but not all threads together. */
function inOrderOfTime({ timesNs, count }: MemtrackEvents): Uint32Array {
  return Uint32Array.from({ length: count }, (_, event) => event).toSorted(
    (a, b) => timesNs[a]! - timesNs[b]! || a - b,
  )
}

/** Blocks of one size and one function in one thread: what is in use of them, now and when the heap was largest. */
interface Kind {
  node: number
  labelSet: number
  bytes: number
  blocks: number
  peakBytes: number
  peakBlocks: number
  /** Changed since the heap was largest. */
  isChanged: boolean
}

/** Follows the blocks that are in use. */
class Heap {
  private readonly builder: ProfileBuilder
  private readonly kinds = new Map<string, Kind>()
  /** By process, then by address. */
  private readonly live = new Map<number, Map<number, { size: number; kind: Kind }>>()
  private changed: Kind[] = []
  private bytes = 0
  private peakBytes = 0

  constructor(builder: ProfileBuilder) {
    this.builder = builder
  }

  allocate(block: {
    pid: number
    tid: number
    address: number
    size: number
    functionName: string
    timeMs: number
  }): void {
    const { pid, address, size, timeMs } = block
    const kind = this.kindOf(block)
    const blocks = this.live.get(pid) ?? new Map<number, { size: number; kind: Kind }>()
    this.live.set(pid, blocks)
    blocks.set(address, { size, kind })
    this.change(kind, size, 1)
    this.builder.add(kind.node, [size, 1, 0, 0, 0, 0], { labelSet: kind.labelSet, timeMs })
    if (this.bytes > this.peakBytes) this.keepPeak()
  }

  release(pid: number, address: number): void {
    const blocks = this.live.get(pid)
    const block = blocks?.get(address)
    if (block === undefined) return
    blocks!.delete(address)
    this.change(block.kind, -block.size, -1)
  }

  /** Adds what was in use to the profile. */
  finish(): void {
    for (const { node, labelSet, bytes, blocks, peakBytes, peakBlocks } of this.kinds.values()) {
      this.builder.add(node, [0, 0, peakBytes, peakBlocks, bytes, blocks], { labelSet, sampleCount: 0 })
    }
  }

  private change(kind: Kind, bytes: number, blocks: number): void {
    kind.bytes += bytes
    kind.blocks += blocks
    this.bytes += bytes
    if (!kind.isChanged) this.changed.push(kind)
    kind.isChanged = true
  }

  private keepPeak(): void {
    this.peakBytes = this.bytes
    for (const kind of this.changed) {
      kind.peakBytes = kind.bytes
      kind.peakBlocks = kind.blocks
      kind.isChanged = false
    }
    this.changed = []
  }

  private kindOf({ pid, tid, size, functionName }: Parameters<Heap['allocate']>[0]): Kind {
    const power = size < 1 ? -1 : Math.floor(Math.log2(size))
    const key = `${pid} ${tid} ${functionName} ${power}`
    const known = this.kinds.get(key)
    if (known !== undefined) return known
    const { builder } = this
    const caller = builder.child(0, builder.functions.intern(functionName))
    const kind: Kind = {
      node: builder.child(caller, builder.functions.intern(sizeClass(power))),
      labelSet: builder.labelSet([
        ['process', String(pid)],
        ['thread', String(tid)],
      ]),
      bytes: 0,
      blocks: 0,
      peakBytes: 0,
      peakBlocks: 0,
      isChanged: false,
    }
    this.kinds.set(key, kind)
    return kind
  }
}

/** Sizes from a power of two up to, but without, the next one. */
function sizeClass(power: number): string {
  return power < 0 ? '0 B' : `${powerOfTwo(power)} – ${powerOfTwo(power + 1)}`
}

function powerOfTwo(power: number): string {
  const unit = Math.min(Math.floor(power / 10), byteUnits.length - 1)
  return `${2 ** (power - 10 * unit)} ${byteUnits[unit]}`
}
