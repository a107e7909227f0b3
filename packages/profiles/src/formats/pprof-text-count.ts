import { hiddenFrames } from './pprof-text-hidden.ts'
import { firstLine, type LineCursor } from './pprof-text-lines.ts'
import { AddressProfile } from './pprof-text-profile.ts'
import { readRows } from './pprof-text-rows.ts'
import { quote } from './text.ts'

const headerPattern = /^(\S{1,100}) profile: total \d+$/

/** `goroutine profile: total 138`, after comments and empty lines. */
export function isCountText(head: string): boolean {
  return headerPattern.test(firstLine(head).trim())
}

/** How many there are of each stack: of goroutines, of threads that were created, or what a program of Go counts itself. */
export function readCounts(cursor: LineCursor): AddressProfile {
  cursor.skipComments()
  const type = headerPattern.exec(cursor.line?.trim() ?? '')?.[1]
  if (type === undefined) throw cursor.refuse('expected "… profile: total …"')
  cursor.next()
  const profile = new AddressProfile([{ type, unit: 'count' }], hiddenFrames.profiler)
  readRows(cursor, profile, (text) => {
    const [, count, addresses] = /^(\d{1,15}) @((?: 0x[0-9a-f]+)*)$/.exec(text) ?? []
    if (addresses === undefined) throw cursor.refuse(`expected a count and addresses, found ${quote(text)}`)
    return {
      stack: cursor.addresses(addresses).map((address) => profile.locationOf(address, { isReturn: true })),
      values: [Number(count)],
      sampleCount: Number(count),
    }
  })
  return profile
}
