const daySeconds = 86_400

/**
 * Labels of an axis of time, in local time: the date under the first label and wherever it changes; times of the
 * day when ticks are closer than a day, with seconds when they are closer than a minute. `ticks` are Unix seconds, `incrementSeconds` their distance.
 */
export function timeTicks(ticks: readonly number[], incrementSeconds: number): string[] {
  const isCoarse = incrementSeconds >= daySeconds
  const date = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(incrementSeconds >= 28 * daySeconds ? { year: 'numeric', day: undefined } : {}),
  })
  const time = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(incrementSeconds < 60 ? { second: '2-digit' } : {}),
  })
  const dates = ticks.map((tick) => date.format(tick * 1000))
  if (isCoarse) return dates
  return ticks.map((tick, index) => {
    const isNewDate = dates[index] !== dates[index - 1]
    return isNewDate ? `${time.format(tick * 1000)}\n${dates[index]}` : time.format(tick * 1000)
  })
}
