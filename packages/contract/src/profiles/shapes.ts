import { z } from 'zod'
import { tags, timestamp } from '../fields.ts'

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
  tags,
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
  self_value: z.number(),
  self_percent: z.number(),
  total_value: z.number(),
  total_percent: z.number(),
})

export const sampleType = z
  .string()
  .max(100)
  .optional()
  .describe(
    'Which sample type, such as cpu, alloc_space or inuse_space; the profile’s default when left out.',
  )

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
  self_value: 900_000_000,
  self_percent: 42.9,
  total_value: 1_300_000_000,
  total_percent: 61.9,
}
