/** Writes a moment, given in milliseconds since 1970. */
export type DateFormat = (time: number) => string

const words: Record<string, DateFormat> = {
  iso: (time) => new Date(time).toISOString(),
  unix: (time) => String(Math.floor(time / 1000)),
  unix_ms: (time) => String(Math.trunc(time)),
}

/** A moment as the clock of a time zone shows it. */
interface Shown {
  time: number
  /** The same numbers, as if they were UTC. */
  local: Date
  offsetMinutes: number
  timeZone: string
}

const piece = /''|'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g

/**
 * Reads a pattern of Unicode TR 35, table Date Field Symbol, as Java's SimpleDateFormat and DateTimeFormatter have it, too
 * (https://unicode.org/reports/tr35/tr35-dates.html#Date_Field_Symbol_Table), with the words of English.
 * @throws RangeError for a time zone or a letter that is not known
 */
export function compileDateFormat(pattern: string, timeZone: string): DateFormat {
  const word = words[pattern]
  if (word !== undefined) return word
  const clock = clockOf(timeZone)
  const pieces = [...pattern.matchAll(piece)].map(([text, quoted, letter]) => {
    if (text === "''") return "'"
    if (quoted !== undefined) return quoted.replaceAll("''", "'")
    return letter === undefined ? text : fieldOf(letter, text.length)
  })
  return (time) => {
    const shown = clock(time)
    return pieces.map((each) => (typeof each === 'string' ? each : each(shown))).join('')
  }
}

function clockOf(timeZone: string): (time: number) => Shown {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (time) => {
    const parts: Record<string, string> = {}
    for (const { type, value } of format.formatToParts(time)) parts[type] = value
    const year = parts['era'] === 'BC' ? 1 - Number(parts['year']) : Number(parts['year'])
    const local = new Date(0)
    local.setUTCFullYear(year, Number(parts['month']) - 1, Number(parts['day']))
    const milliseconds = ((Math.trunc(time) % 1000) + 1000) % 1000
    local.setUTCHours(Number(parts['hour']), Number(parts['minute']), Number(parts['second']), milliseconds)
    return { time, local, offsetMinutes: Math.round((local.getTime() - time) / 60_000), timeZone }
  }
}

function fieldOf(letter: string, length: number): (shown: Shown) => string {
  const pad = (value: number, digits = length) =>
    value < 0 ? `-${String(-value).padStart(digits, '0')}` : String(value).padStart(digits, '0')
  const width = length === 3 ? 'short' : length === 5 ? 'narrow' : 'long'
  switch (letter) {
    case 'G':
      return ({ local }) => (local.getUTCFullYear() > 0 ? 'AD' : 'BC')
    case 'y':
    case 'u':
      return ({ local }) => {
        const year = local.getUTCFullYear()
        return length === 2
          ? pad(((year % 100) + 100) % 100)
          : pad(letter === 'y' && year < 1 ? 1 - year : year)
      }
    case 'Y':
      return ({ local }) => (length === 2 ? pad(weekOf(local).year % 100) : pad(weekOf(local).year))
    case 'Q':
    case 'q':
      return ({ local }) => {
        const quarter = Math.floor(local.getUTCMonth() / 3) + 1
        return length === 3 ? `Q${quarter}` : pad(quarter)
      }
    case 'M':
    case 'L':
      return length > 2 ? named({ month: width }) : ({ local }) => pad(local.getUTCMonth() + 1)
    case 'w':
      return ({ local }) => pad(weekOf(local).week)
    case 'd':
      return ({ local }) => pad(local.getUTCDate())
    case 'D':
      return ({ local }) => pad(dayOfYear(local))
    case 'E':
      return named({ weekday: length < 4 ? 'short' : width })
    case 'e':
    case 'c':
      return ({ local }) => pad(local.getUTCDay() || 7)
    case 'a':
      return ({ local }) => (local.getUTCHours() < 12 ? 'AM' : 'PM')
    case 'H':
      return ({ local }) => pad(local.getUTCHours())
    case 'k':
      return ({ local }) => pad(local.getUTCHours() || 24)
    case 'K':
      return ({ local }) => pad(local.getUTCHours() % 12)
    case 'h':
      return ({ local }) => pad(local.getUTCHours() % 12 || 12)
    case 'm':
      return ({ local }) => pad(local.getUTCMinutes())
    case 's':
      return ({ local }) => pad(local.getUTCSeconds())
    case 'S':
      return ({ local }) => pad(local.getUTCMilliseconds(), 3).padEnd(length, '0').slice(0, length)
    case 'A':
      return ({ local }) => pad(local.getTime() - Math.floor(local.getTime() / 86_400_000) * 86_400_000)
    case 'z':
    case 'v':
    case 'V':
      return ({ time, timeZone }) => zoneName(time, timeZone, letter === 'V', length)
    case 'X':
      return ({ offsetMinutes }) => (offsetMinutes === 0 ? 'Z' : offsetText(offsetMinutes, length))
    case 'x':
      return ({ offsetMinutes }) => offsetText(offsetMinutes, length)
    case 'Z':
      if (length === 5)
        return ({ offsetMinutes }) => (offsetMinutes === 0 ? 'Z' : offsetText(offsetMinutes, 3))
      return ({ offsetMinutes }) =>
        length === 4
          ? `GMT${offsetMinutes === 0 ? '' : offsetText(offsetMinutes, 3)}`
          : offsetText(offsetMinutes, 2)
    case 'O':
      return ({ offsetMinutes }) => `GMT${offsetMinutes === 0 ? '' : offsetText(offsetMinutes, 3)}`
    default:
      throw new RangeError(
        `The letter ${letter} means nothing in a date format. Put plain text between ' and '.`,
      )
  }
}

/** Words of English. */
function named(options: Intl.DateTimeFormatOptions): (shown: Shown) => string {
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  return ({ local }) => format.format(local)
}

/** One letter: hours, and minutes where there are some; two and four: +0100; three and five: +01:00. */
function offsetText(minutes: number, length: number): string {
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')
  const rest = Math.abs(minutes) % 60
  const sign = minutes < 0 ? '-' : '+'
  if (length === 1) return `${sign}${hours}${rest === 0 ? '' : String(rest).padStart(2, '0')}`
  return `${sign}${hours}${length % 2 === 1 ? ':' : ''}${String(rest).padStart(2, '0')}`
}

function zoneName(time: number, timeZone: string, isId: boolean, length: number): string {
  if (isId) return timeZone
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: length > 3 ? 'long' : 'short' })
  return format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

function dayOfYear(local: Date): number {
  const start = new Date(0)
  start.setUTCFullYear(local.getUTCFullYear(), 0, 1)
  return Math.floor((local.getTime() - start.getTime()) / 86_400_000) + 1
}

/** Week of ISO 8601: it begins on Monday, and belongs to the year that its Thursday is in. */
function weekOf(local: Date): { year: number; week: number } {
  const thursday = new Date(local.getTime())
  thursday.setUTCDate(local.getUTCDate() + 4 - (local.getUTCDay() || 7))
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) }
}
