import { z } from 'zod'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleTemplate, reportTemplateShape } from './template-shapes.ts'

export const listReportTemplates = defineOperation({
  id: 'list_report_templates',
  title: 'List report templates',
  description: 'Templates that create_report takes, newest first.',
  toolset: 'reports',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/report-templates' },
  mcp: false,
  input: z.strictObject({ project_id: projectId, ...pageInput }),
  output: z.object({ project_id: z.string(), templates: z.array(reportTemplateShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'All',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', templates: [exampleTemplate], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/reports`,
  markdown: ({ templates, next_cursor }) =>
    table(
      ['Template', 'Id', { title: 'Items', right: true }],
      templates.map(({ name, id, item_count }) => [name, id, item_count]),
      'No templates. save_report_template makes one of a report.',
    ) + moreLine(next_cursor),
})
