import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import {
  documentShape,
  exampleVirtualUser,
  virtualUserLink,
  virtualUserShape,
} from './virtual-user-shapes.ts'

export const getVirtualUser = defineOperation({
  id: 'get_virtual_user',
  title: 'Get a virtual user',
  description: 'The tree of actions, a line each with id and JSON pointer; or the JSON of a part.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/virtual-users/{virtual_user_id}' },
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    view: z.enum(['outline', 'document']).default('outline').describe('Or JSON.'),
    action_id: z.string().min(1).max(64).optional().describe('Only this action.'),
    path: z.string().max(1000).optional().describe('Only this JSON pointer.'),
    fields: z.array(z.string().max(60)).max(30).optional().describe('Only these fields.'),
    offset: z.int32().min(0).default(0).describe('Lines to skip.'),
  }),
  output: z.object({
    virtual_user: virtualUserShape,
    pointer: z.string().describe('JSON pointer of the part that is shown.'),
    outline: z.array(z.string()).describe('Indented lines: pointer, id, what it does.'),
    document: documentShape
      .nullable()
      .describe('The JSON of the part; null in an outline, and when it is too large.'),
    truncated: z.boolean(),
    narrow: z.string().nullable().describe('What to ask when it is truncated.'),
  }),
  problems: ['virtual_user_not_found', 'action_not_found', 'invalid_input'],
  examples: [
    {
      title: 'Outline',
      input: { virtual_user_id: 'vu_01' },
      output: {
        virtual_user: exampleVirtualUser,
        pointer: '',
        outline: [
          '/actions/0 act_01 container “Login”',
          '  /actions/0/actions/0 act_02 http_request GET shop /login, 1 extractor',
        ],
        document: null,
        truncated: false,
        narrow: null,
      },
    },
  ],
  version: ({ virtual_user }) => virtual_user.version,
  link: ({ virtual_user }) => virtualUserLink(virtual_user),
  markdown: ({ virtual_user: user, outline, document, pointer, truncated, narrow }) =>
    [
      `**${user.name}** (${user.id}), version ${user.version}${pointer === '' ? '' : `, ${pointer}`}`,
      facts({ Description: user.description, Tags: user.tags.join(', '), Recording: user.recording_id }),
      ...(outline.length === 0 ? [] : [`\`\`\`\n${outline.join('\n')}\n\`\`\``]),
      ...(document === null ? [] : [`\`\`\`json\n${JSON.stringify(document)}\n\`\`\``]),
      ...(truncated ? [`_truncated: yes. ${narrow}_`] : []),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
})
