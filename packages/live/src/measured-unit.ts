/** In which of the two units that distributions have values of a metric can be told, and what to multiply them with. */
export interface MeasuredUnit {
  /** Name of the distribution: nanoseconds, or bytes. */
  name: 'duration' | 'size'
  factor: number
}

const factors: Readonly<Record<MeasuredUnit['name'], Readonly<Record<string, number>>>> = {
  duration: { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 },
  size: {
    By: 1,
    kBy: 1e3,
    MBy: 1e6,
    GBy: 1e9,
    KiBy: 2 ** 10,
    MiBy: 2 ** 20,
    GiBy: 2 ** 30,
  },
}

/** Of a unit as OpenTelemetry writes it: https://ucum.org/ucum */
export function measuredUnit(unit: string): MeasuredUnit | undefined {
  for (const name of ['duration', 'size'] as const) {
    const factor = Object.hasOwn(factors[name], unit) ? factors[name][unit] : undefined
    if (factor !== undefined) return { name, factor }
  }
  return undefined
}
