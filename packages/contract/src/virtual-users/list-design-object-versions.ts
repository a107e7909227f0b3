import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { versionsAsked, versionsText, versionsTold } from '../versions.ts'
import { designKind, designObjectId, fieldChangeLines, fieldChangesShape } from './design-shapes.ts'

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
    ...versionsAsked,
  }),
  output: z.object({
    object_id: z.string(),
    project_id: z.string(),
    kind: designKind,
    ...versionsTold(fieldChangesShape),
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
  markdown: (told) => versionsText(told, fieldChangeLines),
})
