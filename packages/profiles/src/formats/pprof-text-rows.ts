import type { LabelSet } from '../profile-detail.ts'
import { isMemoryMapStart } from './pprof-text-mappings.ts'
import type { LineCursor } from './pprof-text-lines.ts'
import type { AddressProfile, NamedFrame } from './pprof-text-profile.ts'

/** Characters of the labels of a row; real ones are a few hundred. */
const longestLabels = 2 ** 20

/** One row of a list of stacks. */
export interface Row {
  stack: number[]
  values: number[]
  sampleCount?: number
  labels?: LabelSet
}

/**
 * The rows up to a line of dashes, and the memory map behind them. Go writes the frames of a row below it as comments,
 * inlined ones, too; they are then its stack, without those of the runtime that Go leaves out.
 *
 *     1 @ 0x4385b2 0x464081
 *     # labels: {"job":"sweep"}
 *     #	0x4385b1	main.work+0x211	/src/main.go:250
 */
export function readRows(cursor: LineCursor, profile: AddressProfile, readRow: (text: string) => Row): void {
  let row: Row | undefined
  let frames: number[] = []
  const finishRow = () => {
    if (row !== undefined) profile.add({ ...row, stack: frames.length > 0 ? frames : row.stack })
    row = undefined
    frames = []
  }
  for (; cursor.line !== undefined; cursor.next()) {
    const text = cursor.line.trim()
    if (text.startsWith('---') || isMemoryMapStart(text)) break
    if (text.startsWith('#')) {
      const frame = row && goFrame(cursor.line)
      if (frame !== undefined) frames.push(profile.locationNamed(frame))
      else if (row !== undefined && text.startsWith('# labels: '))
        row.labels = [...(row.labels ?? []), ...goLabels(text)]
    } else if (text !== '') {
      finishRow()
      row = readRow(text)
    }
  }
  finishRow()
  readMemoryMap(cursor, profile)
}

/** What follows the line that says that it is the memory map; other sections are skipped, as google/pprof does. */
export function readMemoryMap(cursor: LineCursor, profile: AddressProfile): void {
  while (cursor.line !== undefined && !isMemoryMapStart(cursor.line)) cursor.next()
  while (cursor.next() !== undefined) profile.memoryMap.addLine(cursor.line ?? '')
}

/** `#	0x4fd630	main.leakBuffers+0x50		/src/main.go:86`; where the name is not known, only the address. */
function goFrame(line: string): NamedFrame | undefined {
  if (!/^\s*#\t/.test(line)) return undefined
  const [, address, nameAndOffset, place] = line.split(/\t+/)
  if (address === undefined || !address.startsWith('0x')) return undefined
  if (nameAndOffset === undefined || place === undefined) return { name: '', file: '', line: 0 }
  const colon = place.lastIndexOf(':')
  return {
    name: nameAndOffset.replace(/\+0x[0-9a-f]{1,16}$/, ''),
    file: place.slice(0, colon),
    line: Number(place.slice(colon + 1)) || 0,
  }
}

/**
 * `{"job":"sweep", "tenant":"a"}`, quoted as Go does. What is escaped outside of these is passed over: no text begins there whose
 * end would be looked for again and again.
 */
export function goLabels(text: string): LabelSet {
  const labels: (readonly [name: string, value: string])[] = []
  const pairs = text.slice(0, longestLabels).matchAll(/"((?:[^"\\]|\\.)*)":\s?"((?:[^"\\]|\\.)*)"|\\./g)
  for (const [, name, value] of pairs)
    if (name !== undefined && value !== undefined) labels.push([unquoted(name), unquoted(value)])
  return labels
}

/** Go has a few escapes that JSON has not; what has them stays as it is. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
