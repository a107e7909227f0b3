import { z } from 'zod'
import { projectId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleTarget, targetShape } from './target-shapes.ts'

export const listTargets = defineOperation({
  id: 'list_targets',
  title: 'List targets',
  description: 'Hosts that a project may aim virtual users at, and those it has yet to prove.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/targets' },
  mcp: false,
  input: z.strictObject({ project_id: projectId }),
  output: z.object({ project_id: z.string(), targets: z.array(targetShape) }),
  problems: ['project_not_found'],
  examples: [
    {
      title: 'One that is to be proved',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', targets: [exampleTarget] },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/targets`,
  markdown: ({ targets }) =>
    table(
      ['Host', 'Verified', 'Last look', 'Id'],
      targets.map((target) => [
        target.host,
        target.is_verified ? `by ${target.method}` : 'no',
        target.failure ?? target.checked_at,
        target.id,
      ]),
      'No targets yet. verify_target adds one.',
    ),
})
