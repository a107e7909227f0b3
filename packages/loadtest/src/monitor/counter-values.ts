import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Values of one counter, one for each second of what it is in; null where there is none. */
export interface CounterValues {
  name: string
  unit: string
  values: (number | null)[]
}

/** What one monitor saw in some seconds of a run, which rise. */
export interface MonitorValues {
  seconds: number[]
  counters: CounterValues[]
}

/** Counters that a chunk holds, at most: those of a monitor, and those of what it was before it was changed. */
const chunkCountersMax = 400
/** A chunk is of a minute. */
export const chunkSeconds = 60
/** Far above what a minute can take; what is not ours inflates no further. */
const chunkBytesMax = 8_000_000

/** A and then B, of which a second that is in both is that of A. Counters are told apart by their names. */
export function mergeValues(...parts: readonly MonitorValues[]): MonitorValues {
  const places = new Map<number, { part: MonitorValues; index: number }>()
  for (const part of parts)
    for (const [index, second] of part.seconds.entries())
      if (!places.has(second)) places.set(second, { part, index })
  const sorted = [...places].toSorted(([a], [b]) => a - b)
  const byName = new Map<string, { unit: string; of: Map<MonitorValues, CounterValues> }>()
  for (const part of parts)
    for (const counter of part.counters) {
      const known = byName.get(counter.name) ?? { unit: counter.unit, of: new Map() }
      known.of.set(part, counter)
      byName.set(counter.name, known)
    }
  return {
    seconds: sorted.map(([second]) => second),
    counters: [...byName].map(([name, { unit, of }]) => ({
      name,
      unit,
      values: sorted.map(([, { part, index }]) => of.get(part)?.values[index] ?? null),
    })),
  }
}

/** The same values, apart by the minute that they are in. */
export function byMinute({ seconds, counters }: MonitorValues): Map<number, MonitorValues> {
  const places = Map.groupBy(seconds.keys(), (index) => Math.floor((seconds[index] ?? 0) / chunkSeconds))
  return new Map(
    [...places].map(([minute, indexes]) => [
      minute,
      {
        seconds: indexes.map((index) => seconds[index] ?? 0),
        counters: counters.map((counter) => ({
          ...counter,
          values: indexes.map((index) => counter.values[index] ?? null),
        })),
      },
    ]),
  )
}

/** A minute as it is stored: deflated JSON, counters that say nothing left out. */
export function encodeChunk({ seconds, counters }: MonitorValues): Uint8Array {
  const said = counters.filter(({ values }) => values.some((value) => value !== null))
  return deflateRawSync(JSON.stringify({ seconds, counters: said.slice(0, chunkCountersMax) }))
}

export function decodeChunk(bytes: Uint8Array): MonitorValues {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encodeChunk` wrote it
  return JSON.parse(
    inflateRawSync(bytes, { maxOutputLength: chunkBytesMax }).toString('utf8'),
  ) as MonitorValues
}
