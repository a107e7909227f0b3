import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleTemplate, reportTemplateShape } from './template-shapes.ts'

export const saveReportTemplate = defineOperation({
  id: 'save_report_template',
  title: 'Save a report as a template',
  description: 'The items of a report, without its runs, for reports to be made from.',
  toolset: 'reports',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/reports/{bench_report_id}/template', status: 201 },
  mcp: false,
  input: z.strictObject({
    bench_report_id: benchReportId,
    name: z.string().min(1).max(80).describe('Of the template.'),
  }),
  output: z.object({ template: reportTemplateShape }),
  problems: ['bench_report_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'Save',
      input: { bench_report_id: 'rep_01', name: 'For the weekly meeting' },
      output: { template: exampleTemplate },
    },
  ],
  link: ({ template }) => `/projects/${template.project_id}/reports`,
  markdown: ({ template: { name, id } }) => `The template **${name}** (${id}) is there.`,
})
