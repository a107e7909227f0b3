import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleGithubReport, githubReportShape } from './shapes.ts'

export const setGithubReport = defineOperation({
  id: 'set_github_report',
  title: 'Report pull requests to GitHub',
  description:
    'Tell GitHub how each run of a pull request did against its baseline: by a commit status, a comment that is changed in place, or both. With neither, nothing is told and the token is forgotten.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['admin'],
  http: { method: 'PUT', path: '/v1/projects/{project_id}/github-report' },
  mcp: false,
  input: z.strictObject({
    project_id: projectId,
    sets_status: z.boolean().default(true).describe('Whether to set a commit status.'),
    comments: z.boolean().default(true).describe('Whether to comment on the pull request.'),
    token: z
      .string()
      .regex(/^[\w-]{20,300}$/, 'This is no token of GitHub.')
      .optional()
      .describe(
        'Fine-grained token for the repository: writes commit statuses and pull requests, nothing else. Left out: the one that is stored.',
      ),
  }),
  output: githubReportShape,
  problems: ['project_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'Both',
      input: { project_id: 'prj_01', token: 'github_pat_0123456789abcdef' },
      output: exampleGithubReport,
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/notifications`,
  markdown: ({ is_active }) =>
    is_active ? 'Runs of pull requests are reported to GitHub.' : 'Nothing is reported to GitHub.',
})
