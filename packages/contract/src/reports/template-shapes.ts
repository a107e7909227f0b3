import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const reportTemplateId = z
  .string()
  .min(1)
  .max(64)
  .describe('Id of the template; list_report_templates shows them (rtp_…).')

export const reportTemplateShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  item_count: z.number().int(),
  created_at: timestamp,
})

export const exampleTemplate: z.output<typeof reportTemplateShape> = {
  id: 'rtp_01',
  project_id: 'prj_01',
  name: 'For the weekly meeting',
  description: '',
  item_count: 5,
  created_at: '2026-11-22T10:00:00.000Z',
}
