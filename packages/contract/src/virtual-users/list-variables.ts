import { z } from 'zod'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { designPage, exampleVariable, userNames, variableShape } from './design-shapes.ts'

export const listVariables = defineOperation({
  id: 'list_variables',
  title: 'List variables',
  description: 'Variables of a project, by name, with what uses each. Secrets are never shown.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/variables' },
  input: z.strictObject({ project_id: projectId, ...pageInput }),
  output: z.object({ project_id: z.string(), variables: z.array(variableShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'One',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', variables: [exampleVariable], next_cursor: null },
    },
  ],
  link: ({ project_id }) => designPage(project_id, 'variable'),
  markdown: ({ variables, next_cursor }) =>
    table(
      ['Name', 'Type', 'Settings', 'Used by', 'Id'],
      variables.map(({ name, type, settings, needs_value, used_by, id }) => [
        name,
        needs_value ? `${type}, needs a value` : type,
        Object.entries(settings)
          .map(([field, value]) => `${field} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(', '),
        userNames(used_by),
        id,
      ]),
      'No variables yet.',
    ) + moreLine(next_cursor),
})
