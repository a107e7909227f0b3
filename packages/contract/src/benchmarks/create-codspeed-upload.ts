import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { exampleUpload, presignedShape, taskFields, uploadInstructions } from '../upload-shapes.ts'
import { newRunFields } from './shapes.ts'

const { run_id: _named, ...runFields } = newRunFields

export const createCodspeedUpload = defineOperation({
  id: 'create_codspeed_upload',
  title: 'Create a run by an archive of CodSpeed',
  description:
    'Record a run from a profile folder of CodSpeed as a tar archive: answers the address that takes these bytes and no others. What POST /upload does for codspeed run; the archive is read as soon as it is there.',
  toolset: 'benchmarks',
  effect: 'write',
  scopes: ['write', 'upload'],
  mcp: false,
  http: { method: 'POST', path: '/v1/repositories/{repository}/codspeed-uploads', status: 202 },
  input: z.strictObject({
    ...runFields,
    content_md5: z
      .string()
      .regex(/^[A-Za-z0-9+/]{22}==$/, 'Give the MD5 as base64.')
      .describe('MD5 of the archive, as base64.'),
    ci_run: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Archives of one commit with the same one, such as those of several jobs, are one run.'),
    allow_empty: z.boolean().default(false).describe('Whether an archive without a benchmark is no failure.'),
  }),
  output: z.object({ run_id: z.string(), project_id: z.string(), upload: presignedShape, ...taskFields }),
  problems: ['plan_limit_reached', 'repository_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'One of several jobs',
      input: {
        repository: 'acme/log-router',
        branch: 'main',
        commit_hash: 'abc1234',
        content_md5: 'jp/k05RKuqP3ERQuIIvx4Q==',
        ci_run: 'GITHUB_ACTIONS 7044765741',
      },
      output: {
        run_id: 'run_01',
        project_id: 'prj_01',
        upload: exampleUpload,
        task_id: 'tsk_01',
        next_poll_seconds: 2,
      },
    },
  ],
  link: ({ run_id }) => `/runs/${run_id}`,
  markdown: ({ upload, task_id }) => uploadInstructions(upload, task_id),
})
