import { z } from 'zod'
import { repository, tags, workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleProject, projectShape } from './shapes.ts'

export const createProject = defineOperation({
  id: 'create_project',
  title: 'Create a project',
  description: 'Make a project (a repository or an application under test) in a workspace.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/projects', status: 201 },
  input: z.strictObject({
    workspace_id: workspaceId,
    name: z.string().trim().min(1).max(100).describe('Name, unique in the workspace.'),
    description: z.string().max(2000).default('').describe('What it is, in a sentence.'),
    tags: tags.default([]),
    repository: repository.optional(),
  }),
  output: z.object({ project: projectShape }),
  problems: ['workspace_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'Tied to a repository',
      input: { workspace_id: 'ws_01', name: 'checkout-service', repository: 'acme/checkout-service' },
      output: { project: exampleProject },
    },
  ],
  version: ({ project }) => project.version,
  link: ({ project }) => `/projects/${project.id}`,
  markdown: ({ project }) => `Project **${project.name}** is there, with id ${project.id}.`,
})
