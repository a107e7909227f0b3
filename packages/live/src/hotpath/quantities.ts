/** Quantities as hotpath writes them for people, read back: `"12.34 µs"`, `"1.5 KB"`, `"12.34%"`. What is none, `"N/A"`, is undefined. */

const nsOfUnit: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  // The other of the two letters that look like this.
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  min: 60e9,
  h: 3600e9,
}

const bytesOfUnit: Readonly<Record<string, number>> = {
  B: 1,
  KB: 2 ** 10,
  MB: 2 ** 20,
  GB: 2 ** 30,
  TB: 2 ** 40,
}

/** Nanoseconds. */
export function parseDuration(text: string): number | undefined {
  return parse(text, nsOfUnit)
}

/** Bytes; those of differences may be negative. */
export function parseBytes(text: string): number | undefined {
  return parse(text, bytesOfUnit)
}

export function parsePercent(text: string): number | undefined {
  return parse(text, { '%': 1 })
}

function parse(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = /^\s*(-?\d+(?:\.\d+)?)\s*(\D+?)\s*$/.exec(text) ?? []
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined
  return number === undefined || factor === undefined
    ? undefined
    : Math.round(Number(number) * factor * 1e6) / 1e6
}
