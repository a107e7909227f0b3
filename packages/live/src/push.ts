import { z } from 'zod'
import { liveLimits, liveSections } from './limits.ts'

export { liveLimits, liveSections } from './limits.ts'
export type { LiveSection } from './limits.ts'

/**
 * What a program, or a bridge beside it, pushes to a live app. Every section has items of one shape, whatever was measured: what
 * only grows since the program began (counters and distributions: of two moments, the difference is what happened between), and
 * what stands as it stands (levels). Which names mean what is in `sections.ts`.
 */

const name = z.string().min(1).max(liveLimits.nameMax)
const count = z.number().min(0)
/** Of the language of the program: `bounded[100]`, `alloc::string::String`. */
const word = z.string().max(liveLimits.nameMax)

const distribution = z
  .strictObject({
    count: count.describe('Values, since the program began.'),
    sampled: count.optional().describe('Of these, how many were measured, where not all were.'),
    total: z
      .number()
      .describe('Sum of the values, in the unit of the section; extrapolated where not all were measured.'),
    max: z.number().optional(),
    percentiles: z
      .record(z.string().regex(/^\d{1,3}(\.\d{1,3})?$/), z.number())
      .optional()
      .describe('As the program computed them, since it began: {"50": 120, "99.9": 800}.'),
    histogram: z
      .strictObject({
        slots: z.array(z.int().min(0).max(2000)).max(2000).describe('Rising; see slots.ts.'),
        counts: z.array(count).max(2000),
      })
      .refine(({ slots, counts }) => slots.length === counts.length, {
        path: ['counts'],
        message: 'There is one for each slot.',
      })
      .optional()
      .describe('All measured values since the program began. With it, percentiles of any time can be told.'),
  })
  .describe('Values of which count and sum are known, and perhaps how they are distributed.')

export const liveItem = z.strictObject({
  id: z.string().min(1).max(200).describe('Within its section, the same for as long as the program runs.'),
  name: name.describe('What people call it: the function, the label of the channel.'),
  place: z
    .strictObject({
      file: z.string().max(1000),
      line: z.int().min(0).optional(),
      column: z.int().min(0).optional(),
    })
    .optional(),
  kind: word.optional().describe('For instance `bounded[100]`, `mutex`, `GET /users/{id}`.'),
  state: word.optional().describe('For instance `full`, `closed`, `running`.'),
  counters: z
    .record(z.string().max(60), z.number())
    .optional()
    .describe('What only grows since the program began.'),
  levels: z.record(z.string().max(60), z.number()).optional().describe('What stands as it stands.'),
  distributions: z.record(z.string().max(60), distribution).optional(),
  texts: z.record(z.string().max(60), z.string().max(liveLimits.textMax)).optional(),
})

const column = <T extends z.ZodType>(type: T) => z.array(type).max(liveLimits.entriesMax)

/** Entries of one item's log as columns of one length: many small objects would cost more to read than all the rest. */
export const liveLog = z
  .strictObject({
    section: z.enum(liveSections),
    item: z.string().min(1).max(200).describe('Id of the item.'),
    at: column(z.number()).describe(
      'When each was, milliseconds since 1970, with a fraction where it is known; rising.',
    ),
    value: column(z.number().nullable())
      .optional()
      .describe('Nanoseconds of a call, bytes of an allocation, the value of a gauge.'),
    count: column(z.number().nullable()).optional().describe('Allocations, polls.'),
    kind: column(word.nullable()).optional().describe('`sent`, `received`; the state of a future.'),
    thread: column(word.nullable()).optional(),
    text: column(z.string().max(liveLimits.textMax).nullable())
      .optional()
      .describe('The message, the result, the value that was logged.'),
    lost: z
      .int()
      .min(0)
      .optional()
      .describe('Entries of this item that the producer could not keep until it could push.'),
  })
  .superRefine((log, context) => {
    for (const key of ['value', 'count', 'kind', 'thread', 'text'] as const)
      if (log[key] !== undefined && log[key].length !== log.at.length)
        context.addIssue({ code: 'custom', path: [key], message: 'There is one for each time in `at`.' })
  })

export const liveProgram = z.strictObject({
  name: name,
  source: z.enum(['profiler', 'hotpath', 'prometheus', 'otlp']).describe('Who measures.'),
  language: word.optional(),
  runtime: word.optional().describe('For instance `Node.js 24.1.0`.'),
  version: word.optional().describe('Of the program, for instance its commit.'),
  era: word.optional().describe('Generation of what measures, where it was told by shape.'),
  host: word.optional(),
  pid: z.int().min(0).optional(),
  started_at: z.number().optional().describe('Milliseconds since 1970.'),
})

export const livePush = z.strictObject({
  session: z
    .string()
    .regex(/^[\w.:-]{8,64}$/)
    .describe('One run of one program: counters begin at zero with it. Anything that no other run has.'),
  sequence: z.int().min(0).describe('Rises within the session; a push that comes twice counts once.'),
  at: z.number().min(0).describe('When the sections were read, milliseconds since 1970.'),
  program: liveProgram.optional().describe('In the first push of a session at least.'),
  sections: z
    .partialRecord(
      z.enum(liveSections),
      z.strictObject({
        status: z
          .enum(['on', 'off', 'failed'])
          .describe('off: the program does not measure it. failed: it could not be read.'),
        reason: z.string().max(1000).optional().describe('Why it is off or failed.'),
        items: z.array(liveItem).max(liveLimits.itemsMax).default([]),
        left_out: z.int().min(0).optional().describe('Items that the program has and did not send.'),
      }),
    )
    .default({})
    .describe('All items of each section that is told, not only those that changed.'),
  logs: z.array(liveLog).max(liveLimits.logsMax).default([]),
})

export type LiveItem = z.output<typeof liveItem>
export type LiveDistribution = z.output<typeof distribution>
export type LiveLog = z.output<typeof liveLog>
export type LiveProgram = z.output<typeof liveProgram>
/** As it is sent. */
export type LivePush = z.input<typeof livePush>
export type ReceivedLivePush = z.output<typeof livePush>
