import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import {
  exampleHead,
  exampleRow,
  exampleWindow,
  liveAppLink,
  liveSectionAnswer,
  sectionMarkdown,
  type LiveRowShape,
} from './live-shapes.ts'

/** A tool that tells of a section of a live app: they differ in what they ask for and which numbers they show. */
export function defineSummary<const Input extends z.ZodRawShape>({
  id,
  title,
  description,
  path,
  input,
  columns,
  example,
  whole = null,
}: {
  id: string
  title: string
  description: string
  /** Below the live app. */
  path: string
  input: Input & { live_app_id: z.ZodString }
  /** Measures that markdown shows, in this order. */
  columns: readonly string[] | 'all'
  example: Partial<LiveRowShape>
  whole?: { measure: string; value: number } | null
}) {
  return defineOperation({
    id,
    title,
    description,
    toolset: 'live',
    effect: 'read',
    scopes: ['read'],
    http: { method: 'GET', path: `/v1/live-apps/{live_app_id}/${path}` },
    input: z.strictObject<Input>(input),
    output: z.object(liveSectionAnswer),
    problems: ['live_app_not_found', 'live_recording_not_found', 'invalid_input'],
    examples: [
      {
        title: 'Of a minute',
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all other fields are optional
        input: { live_app_id: 'app_01' } as unknown as z.input<z.ZodObject<Input>>,
        output: {
          ...exampleHead,
          section: { name: id, status: 'on', reason: null, how_to_enable: null },
          window: exampleWindow,
          rows: [{ ...exampleRow, ...example }],
          process: null,
          total_count: 1,
          whole,
          notes: [],
        },
      },
    ],
    link: ({ live_app_id }) => liveAppLink(live_app_id),
    markdown: (answer) => sectionMarkdown(answer, columns),
  })
}
