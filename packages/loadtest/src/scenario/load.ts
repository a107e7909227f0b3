import { z } from 'zod'

/** A week: no run is longer. */
const timeMs = z.int().min(0).max(604_800_000)
const userCount = z.int().min(0).max(1_000_000)
const rate = z.number().min(0).max(1_000_000)

/** Times rise from 0 on; two points at the same time are a jump. */
function rising(points: readonly { at_ms: number }[]): boolean {
  return (
    points[0]?.at_ms === 0 && points.every(({ at_ms: at }, index) => at >= (points[index - 1]?.at_ms ?? 0))
  )
}
const risingWords = 'Begin at 0 ms, and let times rise.'

const closed = {
  iterations_per_user: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .nullable()
    .default(null)
    .describe('A user ends after so many; null: goes on until the load ends.'),
}

const open = {
  arrivals: z
    .enum(['constant', 'poisson'])
    .default('constant')
    .describe('Evenly spaced, or at random as independent visitors come.'),
  users_max: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1000)
    .describe('At once; what comes when all are busy begins late, and is told as such.'),
}

/**
 * How many users run, or how often one comes, over time. Closed models hold a number of users, each beginning anew when it
 * ends; open models begin iterations at a rate, however long these take.
 */
export const load = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('ramp_up'),
      users: userCount,
      ramp_up_ms: timeMs.default(0),
      plateau_ms: timeMs,
      ...closed,
    })
    .describe('Up to `users`, which then stay.'),
  z.strictObject({
    type: z.literal('ramp_up_down'),
    users: userCount,
    ramp_up_ms: timeMs,
    plateau_ms: timeMs,
    ramp_down_ms: timeMs,
    ...closed,
  }),
  z
    .strictObject({
      type: z.literal('stairs'),
      users: userCount.describe('On the highest step.'),
      steps: z.int().min(1).max(1000),
      step_ms: timeMs.describe('On each step, beside its rise.'),
      rise_ms: timeMs.default(0).describe('From one step to the next.'),
      ...closed,
    })
    .describe('As many more on each step.'),
  z.strictObject({
    type: z.literal('custom'),
    points: z
      .array(z.strictObject({ at_ms: timeMs, users: userCount }))
      .min(2)
      .max(1000)
      .refine(rising, risingWords)
      .describe('With straight lines between them; two at the same time are a jump.'),
    ...closed,
  }),
  z.strictObject({
    type: z.literal('constant_rate'),
    rate_per_second: rate.describe('Iterations that begin.'),
    duration_ms: timeMs,
    ...open,
  }),
  z.strictObject({
    type: z.literal('ramping_rate'),
    points: z
      .array(z.strictObject({ at_ms: timeMs, rate_per_second: rate }))
      .min(2)
      .max(1000)
      .refine(rising, risingWords)
      .describe('With straight lines between them; two at the same time are a jump.'),
    ...open,
  }),
  z
    .strictObject({
      type: z.literal('spikes'),
      base_rate_per_second: rate,
      spike_rate_per_second: rate,
      first_spike_ms: timeMs.describe('When the first one begins.'),
      spike_ms: timeMs.min(1).describe('How long one is.'),
      interval_ms: timeMs.min(1).describe('From the beginning of one to that of the next.'),
      duration_ms: timeMs,
      ...open,
    })
    .refine(({ spike_ms, interval_ms }) => spike_ms <= interval_ms, {
      path: ['spike_ms'],
      message: 'A spike cannot be longer than the interval from one to the next.',
    })
    .refine(({ duration_ms, interval_ms }) => duration_ms / interval_ms <= 1000, {
      path: ['interval_ms'],
      message: 'There can be 1,000 spikes at most.',
    }),
])
export type Load = z.infer<typeof load>
export type LoadType = Load['type']

const openTypes = ['constant_rate', 'ramping_rate', 'spikes'] as const satisfies readonly LoadType[]
export type OpenLoad = Extract<Load, { type: (typeof openTypes)[number] }>
export type ClosedLoad = Exclude<Load, OpenLoad>

/** Whether iterations begin at a rate, however many users that takes. */
export function isOpen(of: Load): of is OpenLoad {
  return 'users_max' in of
}
