import { hiddenFrames } from './pprof-text-hidden.ts'
import type { LineCursor } from './pprof-text-lines.ts'
import { AddressProfile } from './pprof-text-profile.ts'
import { readRows } from './pprof-text-rows.ts'
import { quote } from './text.ts'

export function isContentionText(head: string): boolean {
  return /^--- (contentionz |mutex:|contention:)/.test(head)
}

/**
 * How long was waited for locks, and how often: of C++ (`--- contentionz 1 ---`) and of Go (`--- mutex:`, and
 * `--- contention:` for what `block` gives). Cycles become nanoseconds, and what was sampled is multiplied by the period.
 */
export function readContention(cursor: LineCursor): AddressProfile {
  cursor.next()
  const profile = new AddressProfile(
    [
      { type: 'contentions', unit: 'count' },
      { type: 'delay', unit: 'nanoseconds' },
    ],
    hiddenFrames.locks,
  )
  const { cyclesPerSecond, period } = readAttributes(cursor, profile)
  readRows(cursor, profile, (text) => {
    const [, delay, count, addresses] = /^(\d{1,19}) +(\d{1,19}) @([ x0-9a-f]*)/.exec(text) ?? []
    if (addresses === undefined)
      throw cursor.refuse(`expected a row of a contention profile, found ${quote(text)}`)
    const isScaled = period > 0 && cyclesPerSecond > 0
    return {
      stack: cursor.addresses(addresses).map((address) => profile.locationOf(address, { isReturn: true })),
      values: [
        Number(count) * Math.max(1, period),
        isScaled ? Math.trunc((Number(delay) * period) / (cyclesPerSecond / 1e9)) : Number(delay),
      ],
    }
  })
  return profile
}

/** `sampling period = 100`, up to the first line that is none. */
function readAttributes(
  cursor: LineCursor,
  profile: AddressProfile,
): { cyclesPerSecond: number; period: number } {
  const found = { cyclesPerSecond: 0, period: 1 }
  for (; cursor.line !== undefined; cursor.next()) {
    const text = cursor.line.trim()
    if (text === '' || text.startsWith('#')) continue
    const [, name, value] = /^([^=]{1,40})=\s*(\d{1,19})$/.exec(text) ?? []
    if (name === undefined) {
      if (!text.includes('=')) break
      throw cursor.refuse(`expected a number, found ${quote(text)}`)
    }
    const attribute = name.trim()
    if (attribute === 'cycles/second') found.cyclesPerSecond = Number(value)
    else if (attribute === 'sampling period') found.period = Number(value)
    else if (attribute === 'ms since reset') profile.durationMs = Number(value)
    else if (attribute !== 'discarded samples')
      throw cursor.refuse(`the attribute ${quote(attribute)} is not known`)
  }
  return found
}
