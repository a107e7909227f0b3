import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { versionsAsked, versionsText, versionsTold } from '../versions.ts'
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
    ...versionsAsked,
  }),
  output: z.object({
    virtual_user_id: z.string(),
    ...versionsTold(z.array(documentChangeShape)),
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
  markdown: (told) => versionsText(told, changeLines),
})
