import { z } from 'zod'
import { partId, template } from './template.ts'

const common = {
  id: partId,
  negate: z.boolean().default(false).meta({ id: 'negate', description: 'True: it must not be so.' }),
  message: z
    .string()
    .max(500)
    .nullable()
    .default(null)
    .meta({ id: 'failure_message', description: 'Said when it fails, before what was seen.' }),
  enabled: z.boolean().default(true),
}

/** What must hold for a response. A request with a `status` assertion is not judged by its status otherwise. */
export const assertion = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('status'),
      ...common,
      allowed: z
        .array(z.string().regex(/^[1-5](?:\d\d|xx)$/, 'Write 200, or 2xx for all of them.'))
        .min(1)
        .max(50),
    }),
    z.strictObject({ type: z.literal('body_contains'), ...common, text: template }),
    z.strictObject({ type: z.literal('body_equals'), ...common, text: template }),
    z.strictObject({
      type: z.literal('body_matches'),
      ...common,
      pattern: z.string().min(1).max(4000),
      flags: z
        .string()
        .regex(/^[imsu]*$/, 'Flags are i, m, s and u.')
        .default(''),
    }),
    z.strictObject({
      type: z.literal('json_path'),
      ...common,
      path: z.string().min(1).max(4000).describe('RFC 9535'),
      equals: template.nullable().default(null).describe('null: it is enough that something is there.'),
    }),
    z.strictObject({
      type: z.literal('xpath'),
      ...common,
      expression: z.string().min(1).max(4000),
      equals: template.nullable().default(null).describe('null: it is enough that something is there.'),
    }),
    z.strictObject({
      type: z.literal('header'),
      ...common,
      name: z.string().min(1).max(200),
      comparison: z.enum(['exists', 'equals', 'contains', 'matches']).default('exists'),
      value: template.default(''),
    }),
    z.strictObject({
      type: z.literal('size'),
      ...common,
      min_bytes: z.int().min(0).nullable().default(null),
      max_bytes: z.int().min(0).nullable().default(null),
    }),
    z.strictObject({ type: z.literal('duration'), ...common, max_ms: z.number().positive() }),
  ])
  .meta({ id: 'assertion' })
export type Assertion = z.infer<typeof assertion>
