import { z } from 'zod'
import { projectId, timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  exampleUpload,
  presignedShape,
  taskFields,
  uploadFileFields,
  uploadInstructions,
} from '../upload-shapes.ts'

export const pushProfile = defineOperation({
  id: 'push_profile',
  title: 'Push a profile of a service',
  description:
    'Record a profile of a service that is profiled all the time; it is removed after some days. What the addresses for agents of Pyroscope and OpenTelemetry do for each profile that comes.',
  toolset: 'profiles',
  effect: 'write',
  scopes: ['write', 'upload'],
  mcp: false,
  http: { method: 'POST', path: '/v1/projects/{project_id}/pushed-profiles', status: 202 },
  input: z.strictObject({
    project_id: projectId,
    file_name: uploadFileFields.file_name,
    size_bytes: uploadFileFields.size_bytes,
    service: z.string().min(1).max(200).optional().describe('What was profiled.'),
    tags: z
      .array(z.string().min(1).max(300))
      .max(64)
      .default([])
      .describe('What tells it from others of the service, as name=value.'),
    started_at: timestamp.optional().describe('When it begins, where the file does not say.'),
    duration_ms: z.number().min(0).optional().describe('How long it goes, where the file does not say.'),
    stacks: z
      .strictObject({
        layout: z.enum(['folded', 'lines', 'trie', 'tree']),
        type: z.string().min(1).max(60).describe('What is counted.'),
        unit: z.string().min(1).max(60),
        scale: z.number().positive().describe('What a count is worth in that unit.'),
      })
      .optional()
      .describe('How counted stacks are written, as agents of Pyroscope do; other files tell it themselves.'),
    notes: z.array(z.string().max(500)).max(10).default([]).describe('Warnings to show with it.'),
  }),
  output: z.object({
    profile_id: z.string(),
    workspace_id: z.string(),
    file_id: z.string(),
    expires_at: timestamp,
    upload: presignedShape,
    ...taskFields,
  }),
  problems: ['plan_limit_reached', 'project_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Ten seconds of a service',
      input: {
        project_id: 'prj_01',
        file_name: 'checkout.pb.gz',
        size_bytes: 8_211,
        service: 'checkout',
        tags: ['region=eu'],
      },
      output: {
        profile_id: 'prf_01',
        workspace_id: 'ws_01',
        file_id: 'fil_01',
        expires_at: '2026-11-28T10:00:00.000Z',
        upload: exampleUpload,
        task_id: 'tsk_01',
        next_poll_seconds: 1,
      },
    },
  ],
  link: ({ profile_id }) => `/profiles/${profile_id}`,
  markdown: ({ upload, task_id }) => uploadInstructions(upload, task_id),
})
