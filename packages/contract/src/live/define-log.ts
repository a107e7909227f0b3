import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import {
  exampleHead,
  exampleRow,
  liveAppLink,
  liveLogAnswer,
  logMarkdown,
  type LiveEntryShape,
} from './live-shapes.ts'
import { liveAppId } from '../fields.ts'

export const liveItemName = z.string().min(1).max(500)
export const liveItemId = z.string().min(1).max(200)
export const liveEntriesMax = 500

/** A tool that tells the newest entries of a log of a live app. */
export function defineLog<const Input extends z.ZodRawShape>({
  id,
  title,
  description,
  path,
  item,
  example,
  exampleInput,
}: {
  id: string
  title: string
  description: string
  /** Below the live app. */
  path: string
  /** Fields that say which item. */
  item: Input
  example: Partial<LiveEntryShape>
  exampleInput: z.input<z.ZodObject<Input>>
}) {
  return defineOperation({
    id,
    title,
    description,
    toolset: 'live',
    effect: 'read',
    scopes: ['read'],
    http: { method: 'GET', path: `/v1/live-apps/{live_app_id}/${path}` },
    input: z.strictObject({
      live_app_id: liveAppId,
      ...item,
      limit: z.number().int().min(1).max(liveEntriesMax).default(50).describe('Entries at most.'),
    }),
    output: z.object(liveLogAnswer),
    problems: ['live_app_not_found', 'live_item_not_found'],
    examples: [
      {
        title: 'The newest',
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its two halves are typed
        input: { live_app_id: 'app_01', limit: 10, ...exampleInput } as never,
        output: {
          ...exampleHead,
          section: { name: id, status: 'on', reason: null, how_to_enable: null },
          item: { ...exampleRow, ...(example.name === undefined ? {} : { name: example.name }) },
          entries: [
            {
              at: '2026-11-22T10:00:00.000Z',
              name: exampleRow.name,
              session: exampleRow.session,
              measures: {},
              kind: null,
              thread: null,
              text: null,
              ...example,
            },
          ],
          lost: 0,
        },
      },
    ],
    link: ({ live_app_id }) => liveAppLink(live_app_id),
    markdown: logMarkdown,
  })
}
