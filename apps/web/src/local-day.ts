/**
 * The midnight with which a day begins where whoever looks is, as operations take it; undefined of what is no day.
 * @param day Such as 2026-11-21
 */
export function startOfDay(day: string | undefined, daysLater = 0): string | undefined {
  const [year = NaN, month = NaN, date = NaN] = (day ?? '').split('-').map(Number)
  const start = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
