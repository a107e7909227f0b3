import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const profileShape = z.object({
  id: z.string(),
  project_id: z.string(),
  run_id: z.string().nullable(),
  benchmark_id: z.string().nullable(),
  name: z.string(),
  type: z.string().describe('What was measured: cpu, heap, …'),
  format: z.string().nullable().describe('The format the file was read as.'),
  status: z.enum(['PENDING', 'READY', 'FAILED']),
  sample_types: z.array(z.object({ type: z.string(), unit: z.string(), total: z.number() })),
  default_sample_type: z.string().nullable(),
  duration_ms: z.number().nullable(),
  started_at: timestamp.nullable(),
  sample_count: z.number().int(),
  node_count: z.number().int().describe('Nodes of the call tree.'),
  labels: z.record(z.string(), z.array(z.object({ value: z.string(), weight: z.number() }))),
  tags: z.array(z.string()),
  service: z.string().nullable().describe('What was profiled, where it is profiled all the time.'),
  expires_at: timestamp.nullable().describe('When it is removed by itself; null for never.'),
  warnings: z.array(z.string()),
  problem: z
    .object({ code: z.string(), detail: z.string() })
    .nullable()
    .describe('Why it could not be read.'),
  file_id: z.string().describe('The file as uploaded; download_file gives it back.'),
  created_at: timestamp,
})

/** One function with its share of a profile. */
export const functionShareShape = z.object({
  function_name: z.string(),
  file: z.string().nullable(),
  line: z.number().int().nullable(),
  origin: z.string().describe('User code, package@version, Standard library, Runtime, Kernel or Unknown.'),
  function_url: z
    .string()
    .nullable()
    .describe('Its source at the commit of the run, where that can be told.'),
  self_value: z.number(),
  self_percent: z.number(),
  total_value: z.number(),
  total_percent: z.number(),
})

/** A place of a tree, in depth-first order. */
export const callTreeEntryShape = functionShareShape.extend({
  depth: z.number().int().describe('0 is outermost; entries come in depth-first order.'),
})

/** A group of functions or samples with its share of a profile. */
export const groupShareShape = z.object({
  name: z.string(),
  depth: z
    .number()
    .int()
    .optional()
    .describe('Of a path: it goes on from the nearest row above with a smaller depth.'),
  self_value: z.number(),
  self_percent: z.number(),
  total_value: z.number(),
  total_percent: z.number(),
  function_count: z.number().int(),
  top_functions: z
    .array(z.string())
    .describe('Functions that make up most of it; of a category, those it was recognised by.'),
})

export const sampleType = z
  .string()
  .max(100)
  .optional()
  .describe('Such as cpu. The profile’s default when left out; get_profile shows others, as inuse_space.')

export const exampleProfile: z.output<typeof profileShape> = {
  id: 'prf_01',
  project_id: 'prj_01',
  run_id: 'run_01',
  benchmark_id: 'ben_01',
  name: 'cpu.cpuprofile',
  type: 'cpu',
  format: 'cpuprofile',
  status: 'READY',
  sample_types: [{ type: 'cpu', unit: 'nanoseconds', total: 2_100_000_000 }],
  default_sample_type: 'cpu',
  duration_ms: 2100,
  started_at: null,
  sample_count: 1680,
  node_count: 212,
  labels: {},
  tags: [],
  service: null,
  expires_at: null,
  warnings: [],
  problem: null,
  file_id: 'fil_01',
  created_at: '2026-11-20T10:00:00.000Z',
}

export const exampleShare: z.output<typeof functionShareShape> = {
  function_name: 'applyDiscounts',
  file: 'src/discounts.js',
  line: 12,
  origin: 'User code',
  function_url: 'https://github.com/acme/checkout-service/blob/8f3c2e1/src/discounts.js#L12',
  self_value: 900_000_000,
  self_percent: 42.9,
  total_value: 1_300_000_000,
  total_percent: 61.9,
}

export const exampleGroup: z.output<typeof groupShareShape> = {
  name: 'Garbage collection',
  self_value: 420_000_000,
  self_percent: 20,
  total_value: 420_000_000,
  total_percent: 20,
  function_count: 3,
  top_functions: ['runtime.gcDrain', 'runtime.scanobject'],
}
