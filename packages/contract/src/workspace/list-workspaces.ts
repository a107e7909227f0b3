import { z } from 'zod'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { workspaceShape } from './shapes.ts'

export const listWorkspaces = defineOperation({
  id: 'list_workspaces',
  title: 'List workspaces',
  description: 'The workspaces you belong to, with your role in each. list_projects goes on from here.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/workspaces' },
  input: z.strictObject({}),
  output: z.object({ workspaces: z.array(workspaceShape) }),
  problems: [],
  examples: [
    {
      title: 'One workspace',
      input: {},
      output: {
        workspaces: [
          { id: 'ws_01', slug: 'acme', name: 'Acme', plan: 'free', role: 'owner', deletes_at: null },
        ],
      },
    },
  ],
  link: () => '/workspaces',
  markdown: ({ workspaces }) =>
    table(
      ['Workspace', 'Id', 'Role', 'Plan'],
      workspaces.map((workspace) => [workspace.name, workspace.id, workspace.role, workspace.plan]),
      'You are in no workspace.',
    ),
})
