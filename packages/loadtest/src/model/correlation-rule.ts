import { z } from 'zod'
import { variableName } from './template.ts'

const pattern = z.string().min(1).max(4000)

/** Where a rule looks for its value in responses. */
export const ruleSource = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('regex'),
    pattern: pattern.describe('Its first group is the value.'),
    part: z.enum(['body', 'headers', 'url']).default('body'),
  }),
  z.strictObject({ type: z.literal('json_path'), path: pattern }),
  z.strictObject({
    type: z.literal('boundaries'),
    left: z.string().min(1).max(4000),
    right: z.string().min(1).max(4000),
  }),
  z.strictObject({ type: z.literal('header'), name: z.string().min(1).max(200) }),
  z.strictObject({ type: z.literal('cookie'), name: z.string().min(1).max(200) }),
])

export const injectionTargets = ['path', 'query', 'header', 'body'] as const

/** Where requests send what a rule found. */
export const injectionRule = z.strictObject({
  targets: z
    .array(z.enum(injectionTargets))
    .min(1)
    .default([...injectionTargets]),
  target_name: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe('Name of the parameter, header or field it is sent as; null: wherever the value is sent.'),
  length_min: z.int().min(1).default(4).describe('Shorter values are left alone: they are found everywhere.'),
})

/** Find a value in a response, and send what the server says now where the recording sends what it said then. */
export const correlationRule = z.strictObject({
  schema_version: z.literal(1).default(1),
  name: z.string().min(1).max(80),
  description: z.string().max(2000).default(''),
  framework: z.string().max(60).nullable().default(null).describe('Of the library it was taken from.'),
  enabled: z.boolean().default(true),
  source: ruleSource,
  variable: variableName,
  ...injectionRule.shape,
})
export type CorrelationRule = z.infer<typeof correlationRule>
