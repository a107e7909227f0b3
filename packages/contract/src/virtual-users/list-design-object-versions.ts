import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import {
  comparedVersions,
  designKind,
  designObjectId,
  fieldChangeLines,
  fieldChangesShape,
} from './design-shapes.ts'

export const listDesignObjectVersions = defineOperation({
  id: 'list_design_object_versions',
  title: 'List versions of a variable, HTTP server or rule',
  description:
    'Every version of a variable, an HTTP server or a correlation rule, newest first; how two differ. get_design_object reads one, patch_design_object goes back to one.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/design-objects/{object_id}/versions' },
  mcp: false,
  input: z.strictObject({
    object_id: designObjectId,
    compare: comparedVersions,
    before_version: z.int32().min(1).optional().describe('Only older ones: next_before.'),
    limit: z.number().int().min(1).max(100).default(20).describe('How many to return at most.'),
  }),
  output: z.object({
    object_id: z.string(),
    project_id: z.string(),
    kind: designKind,
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
    changes: fieldChangesShape.nullable().describe('The first 200; null without compare.'),
    change_count: z.number().int().nullable(),
  }),
  problems: ['document_not_found'],
  examples: [
    {
      title: 'Two versions, and how they differ',
      input: { object_id: 'var_01', compare: '1..2' },
      output: {
        object_id: 'var_01',
        project_id: 'prj_01',
        kind: 'variable',
        versions: [
          {
            version: 2,
            label: null,
            change: 'replace /value',
            author_email: 'ada@example.com',
            author_client: 'Flamegate',
            created_at: '2026-11-20T10:05:00.000Z',
          },
          {
            version: 1,
            label: null,
            change: 'Created',
            author_email: 'ada@example.com',
            author_client: 'Claude',
            created_at: '2026-11-20T10:00:00.000Z',
          },
        ],
        next_before: null,
        changes: [{ pointer: '/value', before: '"5"', after: '"7"' }],
        change_count: 1,
      },
    },
  ],
  link: ({ object_id }) => `/design-objects/${object_id}/versions`,
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
      ...(changes === null ? [] : [`${change_count} changes:`, fieldChangeLines(changes)]),
    ].join('\n\n'),
})
