import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { fieldChangesShape, fieldChangeText } from './design-shapes.ts'

/** What something was imported from. */
export const sourceShape = z.object({
  format: z.string(),
  file_name: z.string(),
  task_id: z.string().describe('Of the import, for its report.'),
})

export const virtualUserShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  version: z.number().int(),
  action_count: z.number().int(),
  request_count: z.number().int(),
  disabled_count: z.number().int().describe('Actions that are switched off.'),
  recording_id: z.string().nullable(),
  source: sourceShape.nullable().describe('null: it was made here.'),
  created_at: timestamp,
  updated_at: timestamp,
})

export const exampleVirtualUser: z.output<typeof virtualUserShape> = {
  id: 'vu_01',
  project_id: 'prj_01',
  name: 'Buyer',
  description: '',
  tags: ['shop'],
  version: 3,
  action_count: 14,
  request_count: 9,
  disabled_count: 1,
  recording_id: 'rec_01',
  source: { format: 'har', file_name: 'shop.har', task_id: 'tsk_01' },
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:05:00.000Z',
}

/** A document as it is: its JSON Schema says what is in it. */
export const documentShape = z.record(z.string(), z.unknown())

/** How one version of a virtual user differs from another. */
export const documentChangeShape = z.object({
  change: z.enum(['added', 'removed', 'moved', 'changed']),
  action_id: z.string().nullable().describe('null: of the virtual user itself.'),
  type: z.string().nullable(),
  name: z.string(),
  pointer: z.string().describe('JSON pointer of the action.'),
  fields: fieldChangesShape,
})
type DocumentChangeShape = z.output<typeof documentChangeShape>

export const exampleChange: DocumentChangeShape = {
  change: 'changed',
  action_id: 'act_05',
  type: 'http_request',
  name: 'Add to cart',
  pointer: '/actions/0/actions/2',
  fields: [{ pointer: '/path', before: '"/cart/7"', after: '"/cart/${product}"' }],
}

/** One line for each change. */
export function changeLines(changes: readonly DocumentChangeShape[]): string {
  return changes
    .map(({ change, action_id, type, name, pointer, fields }) => {
      const what = action_id === null ? 'virtual user' : `${type} “${name}” ${action_id} ${pointer}`
      const details = fields.map((field) => ` ${fieldChangeText(field)}`)
      return `- ${change} ${what}${details.join(';')}`
    })
    .join('\n')
}

export function virtualUserLink({ id }: { id: string }): string {
  return `/virtual-users/${id}`
}
