import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleProject, forge, originRule, projectShape } from './shapes.ts'

export const updateProjectSource = defineOperation({
  id: 'update_project_source',
  title: 'Change whose code a project has, and where',
  description:
    'Change the rules that tell whose code functions of profiles are, or the site on which links to their source lead. Fields left out stay as they are.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/projects/{project_id}/source' },
  mcp: false,
  input: z.strictObject({
    project_id: projectId,
    origin_rules: z
      .array(originRule)
      .max(100)
      .optional()
      .describe('All of them, the first one that fits counts; they go before the built-in ones.'),
    forge: forge.nullable().optional().describe('What kind of site has the repository; null: GitHub.'),
    forge_url: z
      .url({ protocol: /^https?$/, error: 'Write it as https://git.example.com.' })
      .max(200)
      .nullable()
      .optional()
      .describe('Where that site is, for those of one’s own; null: the public one.'),
    if_version: z
      .int32()
      .optional()
      .describe('Change it only when the project still has this version. Over REST, send it as If-Match.'),
  }),
  output: z.object({ project: projectShape }),
  problems: ['project_not_found', 'version_mismatch', 'insufficient_role'],
  examples: [
    {
      title: 'Packages of one’s own are no dependencies',
      input: {
        project_id: 'prj_01',
        origin_rules: [{ in: 'file', pattern: '/node_modules/@acme/', origin: 'User code' }],
      },
      output: { project: exampleProject },
    },
  ],
  version: ({ project }) => project.version,
  link: ({ project }) => `/projects/${project.id}/uploads`,
  markdown: ({ project }) =>
    `Project **${project.name}** (${project.id}) now has ${project.origin_rules.length} rules of its own, and version ${project.version}.`,
})
