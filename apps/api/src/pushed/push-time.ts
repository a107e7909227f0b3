/** In what a Unix time is counted, by how many digits it has; fewer are seconds. */
const perMillisecond = new Map([
  [13, 1],
  [16, 1e3],
  [19, 1e6],
])

/**
 * `from` and `until` of Pyroscope's agents: a Unix time in seconds, milliseconds, microseconds or nanoseconds. What is
 * none is not known.
 * @see https://github.com/grafana/pyroscope/blob/main/pkg/og/util/attime/attime.go
 */
export function readPushTime(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{1,19}$/.test(text)) return undefined
  const divisor = perMillisecond.get(text.length)
  const time = new Date(divisor === undefined ? Number(text) * 1000 : Number(text) / divisor)
  return Number.isNaN(time.getTime()) || time.getTime() === 0 ? undefined : time
}
