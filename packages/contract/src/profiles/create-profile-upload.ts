import { z } from 'zod'
import { projectId, tags } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  exampleUpload,
  presignedShape,
  taskFields,
  uploadFileFields,
  uploadInstructions,
  uploadLimits,
} from '../upload-shapes.ts'

export const createProfileUpload = defineOperation({
  id: 'create_profile_upload',
  title: 'Upload a profile',
  description:
    'Add a profile of any usual tool (Go, V8, JFR, perf, valgrind, browsers, Python, Ruby, Haskell, OTLP): answers a single-use upload URL and a curl line, or takes 100 kB inline.',
  toolset: 'profiles',
  effect: 'write',
  scopes: ['write', 'upload'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/profiles/uploads', status: 202 },
  input: z.strictObject({
    project_id: projectId,
    ...uploadFileFields,
    size_bytes: uploadFileFields.size_bytes.optional().describe('Exact size; needed without content.'),
    name: z.string().min(1).max(200).optional().describe('Name to show; else the file name.'),
    type: z
      .string()
      .max(40)
      .regex(/^[a-z0-9_]+$/, 'Use lower-case letters, digits and underscores.')
      .optional()
      .describe('Such as cpu or heap; else what the file says.'),
    run_id: z.string().max(64).optional().describe('Its run.'),
    benchmark: z.string().max(1000).optional().describe('Uri or id of its benchmark there.'),
    tags: tags.default([]),
    content: z
      .string()
      .max(Math.ceil((uploadLimits.inlineBytes * 4) / 3) + 4)
      .optional()
      .describe('The whole file inline.'),
    content_encoding: z.enum(['text', 'base64']).default('text').describe('Of content.'),
  }),
  output: z.object({
    profile_id: z.string(),
    upload: presignedShape.nullable().describe('null when the content came inline.'),
    ...taskFields,
  }),
  problems: [
    'plan_limit_reached',
    'project_not_found',
    'run_not_found',
    'benchmark_not_found',
    'too_large',
    'insufficient_role',
  ],
  examples: [
    {
      title: 'A CPU profile of a benchmark',
      input: {
        project_id: 'prj_01',
        file_name: 'cpu.pb.gz',
        size_bytes: 48_211,
        run_id: 'run_01',
        benchmark: 'bench/pricing.bench.js::pricing::price cart',
      },
      output: { profile_id: 'prf_01', upload: exampleUpload, task_id: 'tsk_01', next_poll_seconds: 1 },
    },
  ],
  link: ({ profile_id }) => `/profiles/${profile_id}`,
  markdown: ({ upload, task_id, profile_id }) =>
    upload === null
      ? `Profile ${profile_id} is being read. Ask get_task_result about task ${task_id}.`
      : uploadInstructions(upload, task_id),
})
