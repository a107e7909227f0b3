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
import { resultFileBytesMax } from './result-limits.ts'

export const importJtlReport = defineOperation({
  id: 'import_jtl_report',
  title: 'Import results of a load test',
  description:
    'Makes a bench result and its report of results that JMeter (JTL), k6, Gatling, Locust or a HAR hold: answers an upload URL. get_task_result tells the ids, and what is not known.',
  toolset: 'reports',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/reports/jtl-uploads', status: 202 },
  input: z.strictObject({
    project_id: projectId,
    file_name: z
      .string()
      .min(1)
      .max(200)
      .describe('Its format is told by its content; .gz and .zip are unpacked.'),
    size_bytes: z
      .number()
      .int()
      .min(1)
      .max(resultFileBytesMax)
      .optional()
      .describe('Exact; needed without content.'),
    content: z.string().max(uploadLimits.inlineBytes).optional().describe('The results inline.'),
    name: z.string().min(1).max(80).optional().describe('Of the run; else that of the file.'),
    tags: z.array(z.string().min(1).max(60)).max(20).default([]).describe('Of the run.'),
  }),
  output: z.object({
    project_id: z.string(),
    upload: presignedShape.nullable().describe('null when the content came inline.'),
    ...taskFields,
  }),
  problems: ['plan_limit_reached', 'project_not_found', 'invalid_input', 'too_large', 'insufficient_role'],
  examples: [
    {
      title: 'A JTL',
      input: { project_id: 'prj_01', file_name: 'checkout.jtl', size_bytes: 2_400_000 },
      output: { project_id: 'prj_01', upload: exampleUpload, task_id: 'tsk_01', next_poll_seconds: 1 },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/bench-results`,
  markdown: ({ upload, task_id }) =>
    upload === null
      ? `They are being imported. Ask get_task_result about task ${task_id}.`
      : uploadInstructions(upload, task_id),
})
