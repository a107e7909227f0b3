import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import {
  exampleUpload,
  presignedShape,
  taskFields,
  uploadFileFields,
  uploadInstructions,
} from '../upload-shapes.ts'
import { adapterName, newRunFields } from './shapes.ts'

export const createRunUpload = defineOperation({
  id: 'create_run_upload',
  title: 'Create a run by upload',
  description:
    'Record a run from a result file of any size; a tar of folders process-1, process-2 … has one process in each. Answers an upload URL and a curl line. Small results: submit_benchmark_results.',
  toolset: 'benchmarks',
  effect: 'write',
  scopes: ['write', 'upload'],
  http: { method: 'POST', path: '/v1/repositories/{repository}/run-uploads', status: 202 },
  input: z.strictObject({
    ...newRunFields,
    measurement_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Same for base and head measured in turns; base first.'),
    adapter: adapterName,
    ...uploadFileFields,
  }),
  output: z.object({ run_id: z.string(), project_id: z.string(), upload: presignedShape, ...taskFields }),
  problems: ['plan_limit_reached', 'repository_not_found', 'run_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'A large result file',
      input: {
        repository: 'acme/log-router',
        branch: 'main',
        commit_hash: 'abc1234',
        file_name: 'bench.txt',
        size_bytes: 2_400_000,
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
