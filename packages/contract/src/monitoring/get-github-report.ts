import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleGithubReport, githubReportShape } from './shapes.ts'

export const getGithubReport = defineOperation({
  id: 'get_github_report',
  title: 'Get what GitHub is told',
  description: 'Whether runs of pull requests are reported to GitHub, and how. The token is never shown.',
  toolset: 'monitoring',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/github-report' },
  mcp: false,
  input: z.strictObject({ project_id: projectId }),
  output: githubReportShape,
  problems: ['project_not_found'],
  examples: [{ title: 'Both', input: { project_id: 'prj_01' }, output: exampleGithubReport }],
  link: ({ project_id }) => `/projects/${project_id}/notifications`,
  markdown: ({ is_active, sets_status, comments }) =>
    is_active
      ? `GitHub is told by ${[...(sets_status ? ['a commit status'] : []), ...(comments ? ['a comment'] : [])].join(' and ')}.`
      : 'GitHub is told nothing.',
})
