import { z } from 'zod'
import { branch } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleRun, repositoryOrProject, runShape } from './shapes.ts'

export const listRuns = defineOperation({
  id: 'list_runs',
  title: 'List runs',
  description: 'Benchmark runs of a repository, newest first. Take two ids from here to compare_runs.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/repositories/{repository}/runs' },
  input: z.strictObject({
    repository: repositoryOrProject,
    branch: branch.optional().describe('Only this branch.'),
    event: z.string().max(60).optional().describe('Only this event, such as push or pull_request.'),
    pull_request: z.int32().positive().optional().describe('Only this pull request.'),
    status: z.enum(['PENDING', 'COMPLETED', 'FAILURE']).optional().describe('Only this status.'),
    ...pageInput,
  }),
  output: z.object({ project_id: z.string(), runs: z.array(runShape), ...pageOutput }),
  problems: ['repository_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'Runs of main',
      input: { repository: 'acme/checkout-service', branch: 'main' },
      output: { project_id: 'prj_01', runs: [exampleRun], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}`,
  markdown: ({ runs, next_cursor }) =>
    table(
      ['Run', 'Branch', 'Commit', 'Message', 'Event', 'Status', { title: 'Results', right: true }, 'When'],
      runs.map((run) => [
        run.id,
        run.branch,
        run.commit_hash.slice(0, 9),
        run.commit_message.split('\n')[0],
        run.pull_request === null ? run.event : `${run.event} #${run.pull_request}`,
        run.status,
        run.result_count,
        run.created_at,
      ]),
      'No runs that fit.',
    ) + moreLine(next_cursor),
})
