import { decode } from '@msgpack/msgpack'
import { FormatError } from '../format-error.ts'
import { JsonValue } from '../json-value.ts'

/** When a benchmark ran, in ns of the monotonic clock. */
export interface Execution {
  uri: string
  startNs: number
  endNs: number
}

const ENTRIES_MAX = 1_000_000

/**
 * Reads `ExecutionTimestamps.msgpack`, {uri_by_ts: [[ns, uri]], markers: [{SampleStart: ns}, {SampleEnd: ns}, …]}. An
 * integration names the benchmark after it ran, so a name belongs to the samples since the name before.
 * @see https://github.com/CodSpeedHQ/codspeed/blob/main/src/executor/shared/fifo.rs
 */
export function readExecutions(bytes: Uint8Array, place: string): Execution[] {
  const file = new JsonValue(decodeOrRefuse(bytes, place), `${place}, $`)
  const markers = file.get('markers').items()
  const [starts, ends] = ['SampleStart', 'SampleEnd'].map((name) => timesOf(name, markers))
  let since = 0
  return file
    .get('uri_by_ts')
    .items()
    .map((named) => {
      const [time, uri] = named.items()
      if (!time || !uri) throw new FormatError('Expected a time and a uri', named.path)
      const until = time.amount()
      const isWithin = (ns: number): boolean => ns >= since && ns <= until
      const startNs = starts?.find(isWithin) ?? since
      const endNs = ends?.findLast(isWithin) ?? until
      since = until
      return { uri: uri.text(), startNs, endNs }
    })
}

function decodeOrRefuse(bytes: Uint8Array, place: string): unknown {
  try {
    return decode(bytes, { maxArrayLength: ENTRIES_MAX })
  } catch {
    throw new FormatError('Not msgpack: it is damaged or cut off', place)
  }
}

function timesOf(name: string, markers: JsonValue[]): number[] {
  return markers.map((marker) => marker.get(name)).flatMap((time) => time.optionalAmount() ?? [])
}
