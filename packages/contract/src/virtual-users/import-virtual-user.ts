import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  exampleUpload,
  presignedShape,
  taskFields,
  uploadInstructions,
  uploadLimits,
} from '../upload-shapes.ts'
import { importBytesMax, importFormats } from './source-formats.ts'

/** When a container of a recording begins, and its name. */
const timelineEntry = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z .{1,200}$/

export const importVirtualUser = defineOperation({
  id: 'import_virtual_user',
  title: 'Import a virtual user',
  description:
    'Make virtual users of a recording or test: answers an upload URL, or takes 100 kB inline. get_task_result tells ids, and what was dropped or approximated.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/virtual-users/imports', status: 202 },
  input: z.strictObject({
    project_id: projectId,
    format: z.enum(importFormats).describe('What it is.'),
    file_name: z.string().min(1).max(200).optional().describe('Name of the file.'),
    size_bytes: z
      .number()
      .int()
      .min(1)
      .max(importBytesMax)
      .optional()
      .describe('Exact; needed without content.'),
    content: z.string().max(uploadLimits.inlineBytes).optional().describe('The source inline.'),
    name: z.string().min(1).max(80).optional().describe('Name of the virtual user.'),
    think_time_max_ms: z
      .number()
      .int()
      .min(0)
      .max(3_600_000)
      .default(60_000)
      .describe('Cuts pauses; 0: none.'),
    container_gap_ms: z
      .number()
      .int()
      .min(0)
      .max(3_600_000)
      .default(2000)
      .describe('Pause between containers.'),
    timeline: z
      .array(
        z
          .string()
          .max(300)
          .refine((text) => timelineEntry.test(text), 'Write it as 2026-11-21T10:00:00Z Name.'),
      )
      .max(1000)
      .default([])
      .describe('Containers: ISO time, space, name.'),
    resources: z.enum(['embedded', 'requests', 'dropped']).default('embedded').describe('What pages load.'),
    browser: z.enum(['page', 'http']).default('page').describe('Browser tests as.'),
    base_url: z
      .string()
      .max(2000)
      .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'Write http:// or https://.')
      .optional()
      .describe('For relative addresses.'),
  }),
  output: z.object({
    project_id: z.string(),
    upload: presignedShape.nullable().describe('null when the content came inline.'),
    ...taskFields,
  }),
  problems: ['plan_limit_reached', 'project_not_found', 'invalid_input', 'too_large', 'insufficient_role'],
  examples: [
    {
      title: 'A recording of a browser',
      input: { project_id: 'prj_01', format: 'har', file_name: 'shop.har', size_bytes: 2_400_000 },
      output: { project_id: 'prj_01', upload: exampleUpload, task_id: 'tsk_01', next_poll_seconds: 1 },
    },
    {
      title: 'A command line',
      input: { project_id: 'prj_01', format: 'curl', content: 'curl https://shop.example.com/' },
      output: { project_id: 'prj_01', upload: null, task_id: 'tsk_02', next_poll_seconds: 1 },
    },
    {
      title: 'A test of Playwright',
      input: {
        project_id: 'prj_01',
        format: 'playwright',
        base_url: 'https://shop.example.com',
        content: "test('home', async ({ page }) => { await page.goto('/') })",
      },
      output: { project_id: 'prj_01', upload: null, task_id: 'tsk_03', next_poll_seconds: 1 },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/virtual-users`,
  markdown: ({ upload, task_id }) =>
    upload === null
      ? `It is being imported. Ask get_task_result about task ${task_id}.`
      : uploadInstructions(upload, task_id),
})
