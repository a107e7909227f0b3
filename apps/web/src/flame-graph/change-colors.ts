import { oklch } from './oklch.ts'

/**
 * How a value changed, from −1 (all of it was removed) over 0 to 1 (all of it is new): the difference as a share of both
 * sides together.
 */
export function changeOf(base: number, head: number): number {
  const both = Math.abs(base) + Math.abs(head)
  return both === 0 ? 0 : (head - base) / both
}

/** Red and blue are told apart by nearly everybody, as red and green are not. In degrees of OKLCH. */
const moreHue = 32
const lessHue = 252

/**
 * A CSS colour for a change: red for more, blue for less, grey for the same, and stronger the larger it is.
 * `frameTextColor` is readable on all of them.
 */
export function changeColor(change: number, isDark: boolean): string {
  // The root makes small changes visible.
  const strength = Math.min(1, Math.sqrt(Math.abs(change)))
  const lightness = isDark ? 0.35 + strength * 0.12 : 0.91 - strength * 0.2
  const chroma = 0.004 + strength * 0.14
  return oklch(lightness, chroma, change < 0 ? lessHue : moreHue)
}
