import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { documentPatchFields, documentPatchProblems, documentPatchText } from './document-patch.ts'
import {
  changeLines,
  documentChangeShape,
  exampleChange,
  exampleVirtualUser,
  virtualUserLink,
  virtualUserShape,
} from './virtual-user-shapes.ts'

export const patchVirtualUser = defineOperation({
  id: 'patch_virtual_user',
  title: 'Change a virtual user',
  description:
    'Change a virtual user by RFC 6902, or go back to a version. get_virtual_user gives pointers, read_guide vu.json the schema.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/virtual-users/{virtual_user_id}' },
  idempotent: false,
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    ...documentPatchFields,
  }),
  output: z.object({
    virtual_user: virtualUserShape,
    changes: z.array(documentChangeShape).describe('The first 50.'),
    change_count: z.number().int(),
    dry_run: z.boolean(),
  }),
  problems: ['virtual_user_not_found', ...documentPatchProblems],
  examples: [
    {
      title: 'Use a variable',
      input: {
        virtual_user_id: 'vu_01',
        patch: [{ op: 'replace', path: '/actions/0/actions/2/path', value: '/cart/${product}' }],
        if_version: 2,
      },
      output: { virtual_user: exampleVirtualUser, changes: [exampleChange], change_count: 1, dry_run: false },
    },
  ],
  version: ({ virtual_user }) => virtual_user.version,
  link: ({ virtual_user }) => virtualUserLink(virtual_user),
  markdown: ({ virtual_user, ...changed }) =>
    documentPatchText(virtual_user, changed, changeLines(changed.changes)),
})
