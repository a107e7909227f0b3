import { z } from 'zod'
import { timestamp, virtualUserId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { comparedVersions } from './design-shapes.ts'
import { changeLines, documentChangeShape, exampleChange } from './virtual-user-shapes.ts'

export const listVirtualUserVersions = defineOperation({
  id: 'list_virtual_user_versions',
  title: 'List versions of a virtual user',
  description: 'Every version, newest first; how two differ.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/virtual-users/{virtual_user_id}/versions' },
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    compare: comparedVersions,
    before_version: z.int32().min(1).optional().describe('Only older ones.'),
    limit: z.number().int().min(1).max(100).default(20).describe('How many at most.'),
  }),
  output: z.object({
    virtual_user_id: z.string(),
    versions: z.array(
      z.object({
        version: z.number().int(),
        label: z.string().nullable(),
        change: z.string().describe('What was done, in words.'),
        author_email: z.string().nullable().describe('null when that person is gone.'),
        author_client: z.string(),
        created_at: timestamp,
      }),
    ),
    next_before: z.number().int().nullable().describe('Give it as before_version to go on; null at the end.'),
    changes: z.array(documentChangeShape).nullable().describe('The first 200; null without compare.'),
    change_count: z.number().int().nullable(),
  }),
  problems: ['virtual_user_not_found', 'document_not_found'],
  examples: [
    {
      title: 'What the last change was',
      input: { virtual_user_id: 'vu_01', compare: '2..3', limit: 1 },
      output: {
        virtual_user_id: 'vu_01',
        versions: [
          {
            version: 3,
            label: null,
            change: 'replace /actions/0/actions/2/path',
            author_email: 'ada@example.com',
            author_client: 'Claude',
            created_at: '2026-11-20T10:05:00.000Z',
          },
        ],
        next_before: 3,
        changes: [exampleChange],
        change_count: 1,
      },
    },
  ],
  link: ({ virtual_user_id }) => `/virtual-users/${virtual_user_id}/versions`,
  markdown: ({ versions, next_before, changes, change_count }) =>
    [
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
      ...(changes === null ? [] : [`${change_count} changes:`, changeLines(changes)]),
    ].join('\n\n'),
})
