import { CronDate, CronExpressionParser } from 'cron-parser'
import { z } from 'zod'

const dayMs = 86_400_000
/** So far is looked ahead: to the next 29 February, also where a century has none. */
const farthestMs = 8 * 366 * dayMs

const timeZone = z
  .string()
  .min(1)
  .max(64)
  .refine(isTimeZone, 'Write a time zone of the IANA database, such as Europe/Berlin, or UTC.')
  .default('UTC')

const policies = {
  when_overdue: z
    .enum(['skip', 'run'])
    .default('skip')
    .describe('What was missed, for instance while nothing ran, is always told; run does it late.'),
  overlap: z.enum(['skip', 'wait']).default('skip').describe('When the one before still runs.'),
}

/**
 * When something happens by itself: once, or as often as five fields of cron say (minute, hour, day of the month, month, day of
 * the week; https://man7.org/linux/man-pages/man5/crontab.5.html) on the clocks of a time zone.
 */
export const schedule = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('once'), at: z.iso.datetime().describe('UTC, ISO 8601.'), ...policies }),
  z
    .strictObject({
      type: z.literal('cron'),
      expression: z.string().min(9).max(200),
      time_zone: timeZone,
      ...policies,
    })
    .superRefine(({ expression, time_zone: zone }, context) => {
      const fault = cronFault(expression, zone)
      if (fault !== undefined) context.addIssue({ code: 'custom', path: ['expression'], message: fault })
    }),
])
export type Schedule = z.infer<typeof schedule>

/**
 * When it happens next after a moment, up to so many times; fewer when there are no more. Where clocks go forward, what names an hour and was to
 * be in the time that they leave out happens later by as much. Where they go back, what names an hour happens in the first of the two, and
 * what goes on through all hours in both.
 */
export function nextFirings(of: Schedule, after: Date, count = 5): Date[] {
  if (of.type === 'once') {
    const at = new Date(of.at)
    return at > after && count > 0 ? [at] : []
  }
  const zone = of.time_zone
  const afterMs = after.getTime()
  // Where clocks are behind a day ago or in a day, something that they showed before is yet to come.
  const offsetsMs = [-dayMs, 0, dayMs].map((shiftMs) => offsetMsAt(afterMs + shiftMs, zone))
  const startMs = afterMs + Math.min(...offsetsMs)
  // Looked for on clocks that never change: on those of a zone the parser passes over what they leave out around midnight, or when that is no whole hour.
  const cron = CronExpressionParser.parse(of.expression, {
    currentDate: new Date(startMs),
    tz: 'UTC',
    endDate: new Date(startMs + farthestMs),
  })
  const namesHours = cron.fields.hour.values.length < 24
  let firings: number[] = []
  for (const clock of cron) {
    const { earliestMs, momentsMs } = momentsOf(clock.getTime(), zone, namesHours)
    // Moments are not in the order of what clocks show while these change.
    if (firings.length >= count && earliestMs > Math.max(...firings)) break
    firings = [...new Set([...firings, ...momentsMs.filter((atMs) => atMs > afterMs)])]
  }
  return firings
    .toSorted((a, b) => a - b)
    .slice(0, count)
    .map((atMs) => new Date(atMs))
}

/** When something happens that is to be when the clocks of a zone show a time, told as if they were in UTC; and before when it cannot. */
function momentsOf(
  clockMs: number,
  zone: string,
  namesHours: boolean,
): { earliestMs: number; momentsMs: number[] } {
  const before = offsetMsAt(clockMs - dayMs, zone)
  const after = offsetMsAt(clockMs + dayMs, zone)
  const shown = [before, after]
    .map((each) => clockMs - each)
    .filter((atMs) => atMs + offsetMsAt(atMs, zone) === clockMs)
  const [first = clockMs - before] = shown
  return { earliestMs: clockMs - Math.max(before, after), momentsMs: namesHours ? [first] : shown }
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetMsAt(atMs: number, zone: string): number {
  return new CronDate(new Date(atMs), zone).getUTCOffset() * 60_000
}

/** What is wrong with an expression; undefined when nothing is. */
function cronFault(expression: string, zone: string): string | undefined {
  if (expression.trim().split(/\s+/).length !== 5)
    return 'Write five fields: minute, hour, day of the month, month, day of the week, as in 30 6 * * 1-5.'
  // L, # and H are of others' dialects: BullMQ and people should read the same.
  if (!/^[\d\s*,/a-z-]+$/i.test(expression) || /[lhw#]/i.test(withoutNames(expression)))
    return 'Only numbers, names of months and days, *, comma, - and / can stand in it.'
  if (!isTimeZone(zone)) return undefined
  try {
    const times = nextFirings(
      { type: 'cron', expression, time_zone: zone, when_overdue: 'skip', overlap: 'skip' },
      new Date(0),
      1,
    )
    return times.length === 0 ? 'This never happens: there is no such day.' : undefined
  } catch {
    return 'It cannot be read: minutes are 0 to 59, hours 0 to 23, days 1 to 31 as the month has them, months 1 to 12, days of the week 0 to 7.'
  }
}

function withoutNames(expression: string): string {
  return expression.replaceAll(
    /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat/gi,
    '',
  )
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
