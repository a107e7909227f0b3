import { z } from 'zod'
import { filePath, template, variableName } from './template.ts'

const common = {
  schema_version: z.literal(1).default(1),
  name: variableName,
  description: z.string().max(2000).default(''),
}

/** When a variable takes its next value. */
const renewed = z
  .enum(['each_use', 'each_iteration', 'once'])
  .default('each_iteration')
  .describe('once: when the virtual user starts.')

/** A value that requests can name as `${name}`. */
export const variable = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('constant'), ...common, value: template }),
  z.strictObject({
    type: z.literal('csv'),
    ...common,
    path: filePath,
    columns: z
      .array(variableName)
      .max(500)
      .default([])
      .describe('Each column is ${column}; empty: named by the first line.'),
    delimiter: z.string().min(1).max(1).default(','),
    quote: z.string().min(1).max(1).nullable().default('"'),
    encoding: z
      .enum(['utf-8', 'utf-16le', 'latin1'])
      .default('utf-8')
      .describe('latin1: windows-1252, as browsers take it.'),
    skip_lines: z.int().min(0).default(0),
    order: z
      .enum(['sequential', 'random', 'unique'])
      .default('sequential')
      .describe('unique: no row is used twice, by whichever virtual user.'),
    sharing: z.enum(['shared', 'per_user']).default('shared'),
    at_end: z.enum(['recycle', 'stop']).default('recycle').describe('stop: the virtual user ends.'),
    renewed: z.enum(['each_iteration', 'once']).default('each_iteration'),
  }),
  z.strictObject({
    type: z.literal('counter'),
    ...common,
    start: z.int().default(1),
    end: z.int().nullable().default(null).describe('After it comes start again.'),
    step: z.int().default(1),
    digits: z.int().min(0).max(40).default(0).describe('Filled up with zeros to so many.'),
    sharing: z.enum(['shared', 'per_user']).default('shared'),
    renewed,
  }),
  z.strictObject({
    type: z.literal('random_number'),
    ...common,
    min: z.number(),
    max: z.number(),
    decimals: z.int().min(0).max(15).default(0),
    renewed,
  }),
  z.strictObject({
    type: z.literal('random_text'),
    ...common,
    length: z.int().min(1).max(10_000),
    characters: z.string().min(1).max(1000).default('abcdefghijklmnopqrstuvwxyz0123456789'),
    renewed,
  }),
  z.strictObject({ type: z.literal('uuid'), ...common, renewed }),
  z.strictObject({
    type: z.literal('date_time'),
    ...common,
    format: z
      .string()
      .min(1)
      .max(200)
      .default("yyyy-MM-dd'T'HH:mm:ss.SSSX")
      .describe('Unicode TR 35 letters; iso, unix and unix_ms are words for the usual ones.'),
    offset_ms: z.int().default(0).describe('Added to now.'),
    time_zone: z.string().max(60).default('UTC'),
    renewed,
  }),
  z.strictObject({
    type: z.literal('list'),
    ...common,
    values: z.array(template).min(1).max(10_000),
    order: z.enum(['sequential', 'random']).default('sequential'),
    sharing: z.enum(['shared', 'per_user']).default('shared'),
    renewed,
  }),
  z.strictObject({
    type: z.literal('secret'),
    ...common,
  }),
])
export type Variable = z.infer<typeof variable>
