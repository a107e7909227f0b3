import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { reportTemplateId } from './template-shapes.ts'

export const deleteReportTemplate = defineOperation({
  id: 'delete_report_template',
  title: 'Delete a report template',
  description: 'Remove a template. Reports that were made from it stay.',
  toolset: 'reports',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/report-templates/{template_id}' },
  mcp: false,
  input: z.strictObject({ template_id: reportTemplateId }),
  output: z.object({ template_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['report_template_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { template_id: 'rtp_01' },
      output: { template_id: 'rtp_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/reports`,
  markdown: ({ template_id }) => `Template ${template_id} is deleted.`,
})
