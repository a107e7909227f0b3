import { z } from 'zod'
import { timestamp } from './fields.ts'
import { table } from './markdown.ts'

/** What operations that list the versions of a document have in common. */

/** Input: which page, and which two are compared. */
export const versionsAsked = {
  compare: z
    .string()
    .refine((text) => /^[1-9]\d{0,8}\.\.[1-9]\d{0,8}$/.test(text), 'Write two versions as 2..5.')
    .optional()
    .describe('How two differ: 2..5.'),
  before_version: z.int32().min(1).optional().describe('Only older ones.'),
  limit: z.number().int().min(1).max(100).default(20).describe('How many at most.'),
}

const versionShape = z.object({
  version: z.number().int(),
  label: z.string().nullable(),
  change: z.string().describe('What was done, in words.'),
  author_email: z.string().nullable().describe('null when that person is gone.'),
  author_client: z.string(),
  created_at: timestamp,
})

/** Output: the versions of the page, and how the two that are compared differ. */
export function versionsTold<Changes extends z.ZodType>(changes: Changes) {
  return {
    versions: z.array(versionShape),
    next_before: z.number().int().nullable().describe('Give it as before_version to go on; null at the end.'),
    changes: changes.nullable().describe('The first 200; null without compare.'),
    change_count: z.number().int().nullable(),
  }
}

interface Told<Changes> {
  versions: readonly z.output<typeof versionShape>[]
  next_before: number | null
  changes: Changes | null
  change_count: number | null
}

/** A table of them, and what `linesOf` makes of the changes. */
export function versionsText<Changes>(
  { versions, next_before, changes, change_count }: Told<Changes>,
  linesOf: (changes: Changes) => string,
): string {
  return [
    table(
      [{ title: 'Version', right: true }, 'Change', 'Label', 'By', 'When'],
      versions.map((each) => [
        each.version,
        each.change,
        each.label,
        `${each.author_email ?? 'somebody who left'} (${each.author_client})`,
        each.created_at,
      ]),
      'No versions.',
    ),
    ...(next_before === null ? [] : [`_More: call again with before_version ${next_before}._`]),
    ...(changes === null ? [] : [`${change_count} changes:`, linesOf(changes)]),
  ].join('\n\n')
}
