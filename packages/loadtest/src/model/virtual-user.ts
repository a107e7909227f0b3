import { z } from 'zod'
import { action } from './action.ts'

/** What a virtual user does, from its start to the end of one iteration. */
export const virtualUser = z.strictObject({
  schema_version: z.literal(1).default(1),
  name: z.string().min(1).max(80),
  description: z.string().max(2000).default(''),
  tags: z.array(z.string().min(1).max(60)).max(20).default([]),
  think_time_factor: z.number().min(0).max(100).default(1).describe('Delays take this many times as long.'),
  user_agent: z.string().max(500).nullable().default(null),
  cookies: z
    .strictObject({
      keep: z.boolean().default(true).describe('As a browser keeps them.'),
      clear_each_iteration: z.boolean().default(true),
    })
    .prefault({}),
  cache: z
    .strictObject({
      keep: z
        .boolean()
        .default(true)
        .describe('As a browser keeps it: fresh answers are not asked for again.'),
      clear_each_iteration: z.boolean().default(true),
    })
    .prefault({}),
  recording_id: z
    .string()
    .max(64)
    .nullable()
    .default(null)
    .describe('Id of the recording it was made of (rec_…).'),
  actions: z.array(action).max(20_000),
})
export type VirtualUser = z.infer<typeof virtualUser>
