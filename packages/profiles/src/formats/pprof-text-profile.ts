import { FormatError } from '../format-error.ts'
import type { ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { LabelSet } from '../profile-detail.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { frameFilter } from './pprof-frame-filter.ts'
import { binaryName } from './pprof-frames.ts'
import type { HiddenFrames } from './pprof-text-hidden.ts'
import { format } from './pprof-text-lines.ts'
import { findMappings, MemoryMap } from './pprof-text-mappings.ts'

/** A function at an address, as the file names it. */
export interface NamedFrame {
  name: string
  file: string
  line: number
}

export interface AddressSample {
  /** Locations, innermost first. */
  stack: readonly number[]
  /** One per sample type. */
  values: readonly number[]
  /** How many samples it stands for; 1 when absent. */
  sampleCount?: number
  labels?: LabelSet
}

/**
 * A profile in one of the forms of before protocol buffers: samples of addresses, of which it is said at the end of the
 * file, if at all, what they are.
 */
export class AddressProfile {
  readonly sampleTypes: SampleType[]
  readonly hidden: HiddenFrames
  readonly samples: AddressSample[] = []
  /** Per location. */
  readonly addresses: bigint[] = []
  /** Per location; absent where only the address is known. */
  readonly names: (NamedFrame | undefined)[] = []
  readonly memoryMap = new MemoryMap()
  readonly warnings: string[] = []
  durationMs: number | undefined
  private readonly locations = new Map<bigint | string, number>()

  constructor(sampleTypes: SampleType[], hidden: HiddenFrames) {
    this.sampleTypes = sampleTypes
    this.hidden = hidden
  }

  /** The location of an address; after a call that is where to return to, so the one before it is in the call. */
  locationOf(address: bigint, { isReturn }: { isReturn: boolean }): number {
    const at = isReturn ? BigInt.asUintN(64, address - 1n) : address
    return this.intern(at, at, undefined)
  }

  /** The location of a frame that has a name already. */
  locationNamed(frame: NamedFrame): number {
    return this.intern(`${frame.name}\0${frame.file}\0${frame.line}`, 0n, frame)
  }

  /** Tells what is at an address, if a sample has it. */
  nameAddress(address: bigint, frame: NamedFrame): void {
    const location = this.locations.get(address)
    if (location !== undefined) this.names[location] = frame
  }

  add(sample: AddressSample): void {
    this.samples.push(sample)
  }

  /** Puts other stacks in the place of those that the samples have. */
  mapStacks(change: (stack: readonly number[]) => readonly number[]): void {
    for (const sample of this.samples) sample.stack = change(sample.stack)
  }

  private intern(key: bigint | string, address: bigint, frame: NamedFrame | undefined): number {
    const known = this.locations.get(key)
    if (known !== undefined) return known
    const index = this.addresses.length
    this.locations.set(key, index)
    this.addresses.push(address)
    this.names.push(frame)
    return index
  }
}

/** Addresses without a name become the binary they are in, as in `go tool pprof`. */
export function toProfile(profile: AddressProfile, { maxNodes }: ImportOptions): ImportedProfile {
  const { sampleTypes, addresses, names, samples } = profile
  if (samples.length === 0) throw new FormatError('the profile holds no samples', { format })
  const builder = new ProfileBuilder({
    format,
    sampleTypes,
    defaultSampleTypeIndex: sampleTypes.length - 1,
    maxNodes,
  })
  const used = new Set<number>()
  for (const { stack } of samples) for (const location of stack) used.add(location)
  const mappings = findMappings(profile.memoryMap.mappings, addresses)
  const functionIndexes = new Int32Array(names.length)
  for (const location of used) {
    const frame = names[location]
    const binary = mappings[location]?.file ?? ''
    functionIndexes[location] = builder.functions.intern(
      frame?.name || binaryName(binary),
      frame?.file || binary,
    )
  }
  const lines = names.map((frame) => frame?.line ?? 0)
  const warnings = [...profile.warnings]
  const isHidden = hiddenLocations(profile, warnings)
  const unknownCount = [...used].filter((location) => !names[location]?.name).length
  if (unknownCount > 0) warnings.push(`${unknownCount} of ${used.size} locations have no function names.`)
  for (const { stack, values, sampleCount, labels = [] } of samples) {
    const shown = shownFrames(stack.toReversed(), isHidden)
    builder.addStack(
      {
        functionIndexes: shown.map((location) => functionIndexes[location]!),
        lines: shown.map((location) => lines[location]!),
        depth: shown.length,
      },
      values,
      { labelSet: builder.labelSet(labels), ...(sampleCount === undefined ? {} : { sampleCount }) },
    )
  }
  return builder.finish({ durationMs: profile.durationMs, warnings })
}

function hiddenLocations({ names, hidden }: AddressProfile, warnings: string[]): boolean[] {
  const isHidden = frameFilter(hidden.drop, hidden.keep, warnings)
  return names.map((frame) => frame !== undefined && isHidden?.(frame.name) === true)
}

/** Outermost first, up to the first hidden one. Those outside the first that is not hidden stay. */
function shownFrames(stack: readonly number[], isHidden: readonly boolean[]): readonly number[] {
  const firstShown = stack.findIndex((location) => !isHidden[location])
  const end = stack.findIndex((location, depth) => depth > firstShown && isHidden[location])
  return firstShown === -1 || end === -1 ? stack : stack.slice(0, end)
}

/** Where the innermost address came from both the signal and the stack, it is there twice, once one lower. */
export function dropDoubledLeaves(profile: AddressProfile): void {
  const { addresses } = profile
  profile.mapStacks((stack) => {
    const [first, second] = stack
    const isDoubled = second !== undefined && addresses[first!] === addresses[second]! + 1n
    return isDoubled ? stack.toSpliced(1, 1) : stack
  })
}
