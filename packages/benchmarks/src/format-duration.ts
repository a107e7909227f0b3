const UNITS = [
  { name: 's', ns: 1e9 },
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
] as const

/** Nanoseconds with a unit a person would choose and four digits: `12.35 µs`, `1.5 ms`, `120 s`. */
export function formatDuration(ns: number): string {
  // Four digits may round 999.96 up into the next unit, so that is decided on the rounded number.
  const rounded = Number(ns.toPrecision(4))
  const unit = UNITS.find((candidate) => Math.abs(rounded) >= candidate.ns) ?? { name: 'ns', ns: 1 }
  return `${Number((rounded / unit.ns).toPrecision(4))} ${unit.name}`
}
