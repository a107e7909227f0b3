import { z } from 'zod'
import { projectId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleProject, projectShape } from './shapes.ts'

export const getProject = defineOperation({
  id: 'get_project',
  title: 'Get a project',
  description: 'One project with its counts. Its version is the ETag that update_project checks.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}' },
  mcp: false,
  input: z.strictObject({ project_id: projectId }),
  output: z.object({ project: projectShape }),
  problems: ['project_not_found'],
  examples: [{ title: 'A project', input: { project_id: 'prj_01' }, output: { project: exampleProject } }],
  version: ({ project }) => project.version,
  link: ({ project }) => `/projects/${project.id}`,
  markdown: ({ project }) =>
    facts({
      ...project,
      tags: project.tags.join(', '),
      origin_rules: project.origin_rules
        .map((rule) => `${rule.pattern} in the ${rule.in}: ${rule.origin}`)
        .join('; '),
    }),
})
