import type { SampleType } from '../profile.ts'
import { scaledSample } from './pprof-text-heap.ts'
import { hiddenFrames } from './pprof-text-hidden.ts'
import type { LineCursor } from './pprof-text-lines.ts'
import { AddressProfile, type NamedFrame } from './pprof-text-profile.ts'

/** Bytes between two samples of a heap of Java. */
const heapRate = 524_288

/** `--- heapz 1 ---` or `--- contentionz 1 ---`, and then `format = java`. */
export function isJavaText(head: string): boolean {
  return /^--- (heapz|contentionz) 1 ---\s/.test(head) && /^format *= *java\s*$/m.test(head.slice(0, 1000))
}

/**
 * A heap or contention profile of Java: attributes, samples of location numbers, then what the locations are.
 * As in https://github.com/google/pprof/blob/main/profile/legacy_java_profile.go
 */
export function readJava(cursor: LineCursor): AddressProfile {
  const isHeap = cursor.line?.startsWith('--- heapz') === true
  cursor.next()
  const { sampleTypes, period, durationMs } = readAttributes(cursor, isHeap)
  const profile = new AddressProfile(sampleTypes, isHeap ? hiddenFrames.allocations : hiddenFrames.locks)
  profile.durationMs = durationMs
  for (; cursor.line !== undefined; cursor.next()) {
    if (cursor.line.trim() === '') continue
    const row = /^ *(\d{1,19}) +(\d{1,19}) +@ +([ x0-9a-f]*)/.exec(cursor.line)
    if (row === null) break
    const [size, count] = [Number(row[1]), Number(row[2])]
    const stack = cursor.addresses(row[3]!).map((address) => profile.locationOf(address, { isReturn: false }))
    if (!isHeap) {
      profile.add({ stack, values: [count * period, size * period] })
      continue
    }
    if (count === 0) throw cursor.refuse('a row has bytes of no objects')
    const labels = [['bytes', String(Math.trunc(size / count))]] as const
    profile.add({ stack, values: scaledSample(count, size, heapRate), labels })
  }
  readJavaLocations(cursor, profile)
  return profile
}

interface Attributes {
  sampleTypes: SampleType[]
  period: number
  durationMs: number | undefined
}

function readAttributes(cursor: LineCursor, isHeap: boolean): Attributes {
  let unit = ''
  let period = 1
  let durationMs: number | undefined
  for (; cursor.line !== undefined; cursor.next()) {
    const text = cursor.line.trim()
    if (text === '') continue
    const [, name, value = ''] = /^([\w ]{1,40})=([\w ]{1,40})$/.exec(text) ?? []
    if (name === undefined) break
    const attribute = name.trim()
    if (attribute === 'resolution') unit = value.trim()
    else if (attribute === 'sampling period' && !isHeap) period = Number(value.trim()) || 1
    else if (attribute === 'ms since reset' && !isHeap) durationMs = Number(value.trim())
    else if (attribute !== 'format') throw cursor.refuse(`the attribute "${attribute}" is not known`)
  }
  if (unit === '') throw cursor.refuse('expected a resolution')
  return {
    sampleTypes: [
      { type: isHeap ? 'inuse_objects' : 'contentions', unit: 'count' },
      { type: isHeap ? 'inuse_space' : 'delay', unit },
    ],
    period,
    durationMs,
  }
}

/** ` 0x0000003 com.example.Server.run (Server.java:12)`: what the numbers in the stacks stand for. */
export function readJavaLocations(cursor: LineCursor, profile: AddressProfile): void {
  const files = new Map<string, string>()
  for (; cursor.line !== undefined; cursor.next()) {
    const [, hex, text] = /^0x([0-9a-fA-F]{1,16})\s+(\S.*)$/.exec(cursor.line.trim()) ?? []
    if (hex === undefined || text === undefined) continue
    const frame = javaFrame(text)
    // A function has one file, that of the first location of it.
    const file = files.get(frame.name) ?? frame.file
    files.set(frame.name, file)
    profile.nameAddress(BigInt(`0x${hex}`), { ...frame, file })
  }
}

function javaFrame(text: string): NamedFrame {
  const open = text.endsWith(')') ? text.lastIndexOf('(') : -1
  if (open > 0 && /\s/.test(text[open - 1]!)) {
    const name = text.slice(0, open).trimEnd()
    const place = text.slice(open + 1, -1)
    const colon = place.lastIndexOf(':')
    if (colon > 0 && /^-?\d{1,9}$/.test(place.slice(colon + 1))) {
      return { name, file: place.slice(0, colon), line: Math.max(0, Number(place.slice(colon + 1))) }
    }
    // The path of a library.
    return { name, file: place.slice(place.lastIndexOf('/') + 1), line: 0 }
  }
  const name = text.includes('generated stub/JIT') ? 'STUB' : text
  return { name, file: '', line: 0 }
}
