import { z } from 'zod'
import { profileId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatBytes } from '../quantity.ts'
import { profileViewLink } from './view-link.ts'

const heapTotals = z.object({ object_count: z.number().int(), total_size: z.number().describe('Bytes.') })

const heapClassShape = z.object({
  class_name: z
    .string()
    .describe('The constructor, or the kind of what has none: Function, (string), {id, name}.'),
  object_count: z.number().int(),
  shallow_size: z.number().describe('Bytes of the objects themselves.'),
  retained_size: z.number().describe('Bytes that would be freed with them.'),
  detached_count: z.number().int().describe('Nodes of the DOM that are in no document any more.'),
  change: z
    .object({
      object_count: z.number().int(),
      shallow_size: z.number(),
      retained_size: z.number(),
      added_count: z.number().int().describe('Objects that the baseline does not have, told by their ids.'),
      added_size: z.number(),
      removed_count: z.number().int(),
      removed_size: z.number(),
      is_new: z.boolean().describe('The baseline has no object of the class.'),
    })
    .nullable()
    .describe('Since the baseline.'),
})

export const getHeapSnapshotClasses = defineOperation({
  id: 'get_heap_snapshot_classes',
  title: 'Get heap snapshot classes',
  description:
    'Counts, shallow and retained sizes by class in a V8 heap snapshot; with a baseline, what came and grew.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/heap/classes' },
  input: z.strictObject({
    profile_id: profileId,
    baseline_profile_id: z.string().min(1).max(64).optional().describe('Earlier, of the same process.'),
    sort_by: z
      .enum(['retained', 'shallow', 'count', 'growth'])
      .optional()
      .describe('growth with a baseline, else retained.'),
    top_n: z.number().int().min(1).max(1000).default(20).describe('How many.'),
  }),
  output: z.object({
    profile_id: z.string(),
    ...heapTotals.shape,
    baseline: heapTotals.extend({ profile_id: z.string() }).nullable(),
    class_count: z.number().int().describe('Classes in all.'),
    classes: z.array(heapClassShape),
    notes: z.array(z.string()).describe('What to keep in mind.'),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'What a cache keeps, and since when',
      input: { profile_id: 'prf_02', baseline_profile_id: 'prf_01', top_n: 1 },
      output: {
        profile_id: 'prf_02',
        object_count: 52_655,
        total_size: 6_215_170,
        baseline: { profile_id: 'prf_01', object_count: 50_912, total_size: 5_981_022 },
        class_count: 412,
        classes: [
          {
            class_name: 'Session',
            object_count: 250,
            shallow_size: 10_000,
            retained_size: 298_000,
            detached_count: 0,
            change: {
              object_count: 200,
              shallow_size: 8000,
              retained_size: 238_400,
              added_count: 200,
              added_size: 8000,
              removed_count: 0,
              removed_size: 0,
              is_new: false,
            },
          },
        ],
        notes: [],
      },
    },
  ],
  link: ({ profile_id }, { baseline_profile_id: baseline }) =>
    profileViewLink(profile_id, { view: 'classes', baseline }),
  markdown: (answer) => {
    const { baseline } = answer
    return [
      `${answer.object_count} objects of ${answer.class_count} classes, ${formatBytes(answer.total_size)}.` +
        (baseline === null
          ? ''
          : ` Since ${baseline.profile_id}: ${signed(answer.total_size - baseline.total_size)}.`),
      table(
        [
          'Class',
          { title: 'Objects', right: true },
          { title: 'Shallow', right: true },
          { title: 'Retained', right: true },
          ...(baseline === null
            ? []
            : [
                { title: 'Added', right: true as const },
                { title: 'Removed', right: true as const },
                { title: 'Growth', right: true as const },
                { title: 'Retained growth', right: true as const },
              ]),
        ],
        answer.classes.map((row) => [
          `${row.class_name}${row.change?.is_new === true ? ' (new)' : ''}`,
          row.object_count,
          formatBytes(row.shallow_size),
          formatBytes(row.retained_size),
          ...(row.change === null
            ? []
            : [
                row.change.added_count,
                row.change.removed_count,
                signed(row.change.shallow_size),
                signed(row.change.retained_size),
              ]),
        ]),
        'No objects.',
      ),
      ...answer.notes,
    ].join('\n\n')
  },
})

function signed(bytes: number): string {
  return `${bytes > 0 ? '+' : ''}${formatBytes(bytes)}`
}
