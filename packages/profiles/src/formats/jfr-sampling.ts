/** A setting as the recording tells it: of which event (by its class id), and what. */
export interface JfrSetting {
  eventId: number
  name: string
  value: string
}

/** What the settings of a chunk say about its samples. */
export interface JfrSampling {
  /** Nanoseconds between two samples; undefined when it is not known, or the samples are not taken by time. */
  cpuPeriod: number | undefined
  wallPeriod: number | undefined
  /**
   * `never`: samples are of threads that run. `always`: async-profiler took them of every thread, running or not.
   * `unless default`: of both, told apart by the state, which is STATE_DEFAULT for those of running threads.
   */
  isWall: 'never' | 'always' | 'unless default'
}

/** What async-profiler takes when it is asked for `interval=0`. */
const defaultPeriod = 10_000_000
const cpuEvents = new Set(['cpu', 'itimer', 'ctimer'])

/**
 * Of the JDK, the setting `period` of `jdk.ExecutionSample`, such as `20 ms`. Of async-profiler, `event`, `interval` and
 * `wall`: the nanoseconds between samples if the event is a time and not, say, cache misses.
 */
export function samplingOf(
  settings: readonly JfrSetting[],
  executionSampleId: number | undefined,
): JfrSampling {
  const value = (wanted: string) => settings.findLast(({ name }) => name === wanted)?.value
  const period = settings.findLast(({ eventId, name }) => eventId === executionSampleId && name === 'period')
  if (period !== undefined)
    return { cpuPeriod: parsePeriod(period.value), wallPeriod: undefined, isWall: 'never' }

  const event = value('event')
  const wall = value('wall')
  const interval = positive(value('interval'))
  if (event === 'wall' || (event === undefined && wall !== undefined)) {
    const wallPeriod = positive(wall) ?? interval
    // Threads that a wall clock finds running are all that is known of the time on a processor.
    return { cpuPeriod: wallPeriod, wallPeriod, isWall: 'always' }
  }
  const cpuPeriod = event !== undefined && cpuEvents.has(event) ? (interval ?? defaultPeriod) : undefined
  return { cpuPeriod, wallPeriod: positive(wall), isWall: wall === undefined ? 'never' : 'unless default' }
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text)
  return value > 0 && Number.isFinite(value) ? value : undefined
}

const nanosPerUnit: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
}

/** `20 ms`; undefined for `everyChunk`. */
function parsePeriod(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9}) ?(ns|us|ms|s|m)$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * nanosPerUnit[unit]!
}
