const units: readonly (readonly [unit: string, ms: number])[] = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
  ['ms', 1],
]
const msOf = new Map([...units, ['m', 60_000] as const, ['d', 86_400_000] as const])

/** A time as people write it: `1 h 30 min`, `1.5 s`, `250 ms`. Read again, it is the same. */
export function durationText(durationMs: number): string {
  if (durationMs === 0) return '0 s'
  const parts: string[] = []
  let rest = durationMs
  for (const [unit, ms] of units) {
    // Seconds with a fraction, rather than seconds and milliseconds.
    const isLast = unit === 's' && rest >= 1000
    const amount = isLast ? rest / 1000 : Math.floor(rest / ms)
    if (amount > 0) parts.push(`${amount} ${unit}`)
    rest = isLast ? 0 : rest - amount * ms
  }
  return parts.join(' ')
}

/** Milliseconds of a time; a number alone is seconds. Undefined for what is none. */
export function readDuration(text: string): number | undefined {
  const words = text.trim().toLowerCase()
  if (/^\d+(?:\.\d+)?$/.test(words)) return Math.round(Number(words) * 1000)
  if (!/^(?:\d+(?:\.\d+)?\s*(?:d|h|min|m|s|ms)\s*)+$/.test(words)) return undefined
  const parts = words.matchAll(/(\d+(?:\.\d+)?)\s*(d|h|min|ms|m|s)/g)
  let sum = 0
  for (const [, amount = '', unit = ''] of parts) sum += Number(amount) * (msOf.get(unit) ?? 0)
  return Math.round(sum)
}
