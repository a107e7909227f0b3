import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { captureKindNames, captureTypes, longestCaptureSeconds } from './capture-kinds.ts'

/** What a collector may run: named by whoever runs it, who alone knows where it leads. */
export const offeredCapture = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')
    .describe('Its name.'),
  kind: z.enum(captureKindNames).describe('With what it is taken.'),
  types: z.array(z.enum(captureTypes)).min(1).max(captureTypes.length).describe('What may be measured.'),
  seconds_max: z.number().int().min(1).max(longestCaptureSeconds).describe('The longest that it may take.'),
  description: z.string().max(200).optional().describe('What it is of, in words.'),
})

export const collectorName = z
  .string()
  .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')
  .describe('Name of the collector, of which a project has one.')

export const collectorShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  version: z.string(),
  is_connected: z.boolean().describe('It was heard of within the last minute.'),
  last_seen_at: timestamp,
  captures: z.array(offeredCapture),
})

export const exampleCollector: z.output<typeof collectorShape> = {
  id: 'col_01',
  project_id: 'prj_01',
  name: 'staging',
  version: '0.1.0',
  is_connected: true,
  last_seen_at: '2026-11-20T10:00:00.000Z',
  captures: [
    {
      name: 'shop',
      kind: 'pprof',
      types: ['cpu', 'heap'],
      seconds_max: 60,
      description: 'One instance of the shop',
    },
  ],
}
