const shown = 13

/** This month of UTC and those before it, such as `2026-11`, newest first. */
export function lastMonths(nowMs: number): string[] {
  const now = new Date(nowMs)
  return Array.from({ length: shown }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  )
}

const words = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `November 2026`; what is no month stays as it is. */
export function monthInWords(month: string): string {
  const time = Date.parse(`${month}-01T00:00:00Z`)
  return Number.isNaN(time) ? month : words.format(time)
}
