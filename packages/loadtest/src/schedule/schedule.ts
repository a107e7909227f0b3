import { CronExpressionParser } from 'cron-parser'
import { z } from 'zod'

/** So far is looked ahead: to the next 29 February, also where a century has none. */
const farthestMs = 8 * 366 * 86_400_000

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
 * When it happens next after a moment, up to so many times; fewer when there are no more. Where clocks go forward, what was to be
 * in the hour that they leave out happens one hour later. Where they go back, what names an hour happens in the first of the two,
 * and what goes on through all hours in both.
 */
export function nextFirings(of: Schedule, after: Date, count = 5): Date[] {
  if (of.type === 'once') {
    const at = new Date(of.at)
    return at > after && count > 0 ? [at] : []
  }
  const cron = CronExpressionParser.parse(of.expression, {
    currentDate: after,
    tz: of.time_zone,
    endDate: new Date(after.getTime() + farthestMs),
  })
  const firings: Date[] = []
  while (firings.length < count && cron.hasNext()) firings.push(cron.next().toDate())
  return firings
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
