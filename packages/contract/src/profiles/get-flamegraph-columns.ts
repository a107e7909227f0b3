import { z } from 'zod'
import { profileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { sampleSelection } from './selection.ts'
import { profileViewLink } from './view-link.ts'

export const getFlamegraphColumns = defineOperation({
  id: 'get_flamegraph_columns',
  title: 'Get the columns of a flame graph',
  description:
    'The whole call tree of a large profile, in the binary form that pages draw: ask for application/octet-stream.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/flamegraph/columns' },
  mcp: false,
  bytesField: 'columns',
  input: z.strictObject({
    profile_id: profileId,
    ...sampleSelection,
    root_function_name: z.string().max(1000).optional().describe('Only below this function.'),
    inverted: z.boolean().default(false).describe('Callers below callees.'),
  }),
  output: z.object({
    profile_id: z.string(),
    size_bytes: z.number().int(),
    columns: z.string().describe('A column file, FGFC, as base64.'),
  }),
  problems: [
    'profile_not_found',
    'function_not_found',
    'not_ready',
    'processing_failed',
    'too_large',
    'unavailable',
  ],
  examples: [
    {
      title: 'All of a profile',
      input: { profile_id: 'prf_01' },
      output: { profile_id: 'prf_01', size_bytes: 12, columns: 'RkdGQwEAAAAAAAAA' },
    },
  ],
  link: ({ profile_id }, { root_function_name, inverted, ...selection }) =>
    profileViewLink(profile_id, { root: root_function_name, inverted, selection }),
  markdown: ({ size_bytes }) =>
    `The call tree is ${formatQuantity(size_bytes, 'bytes')}, for pages. query_flamegraph reads it to you.`,
})
