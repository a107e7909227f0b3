import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { searchKinds } from './search-kinds.ts'

export const fetch = defineOperation({
  id: 'fetch',
  title: 'Fetch a search result',
  description:
    'One result of search as text: a run with its results, a benchmark with its history, a profile with its totals, a project with its counts, a virtual user with its actions, a bench report with its insights.',
  toolset: 'general',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/documents/{id}' },
  toolText: 'json',
  input: z.strictObject({
    id: z.string().min(1).max(64).describe('Id of a result of search, or of any such thing.'),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string().describe('Markdown, 8,000 tokens at most.'),
    metadata: z.object({
      kind: z.enum(searchKinds),
      project_id: z.string(),
      truncated: z.boolean().describe('Whether the text was cut; its last line then says how to go on.'),
    }),
    page: z.string().describe('Path of its page.'),
  }),
  problems: [
    'document_not_found',
    'project_not_found',
    'run_not_found',
    'benchmark_not_found',
    'profile_not_found',
    'virtual_user_not_found',
  ],
  examples: [
    {
      title: 'A benchmark',
      input: { id: 'ben_01' },
      output: {
        id: 'ben_01',
        title: 'price cart',
        text: '# price cart\n\n- **Instrument**: walltime',
        metadata: { kind: 'benchmark', project_id: 'prj_01', truncated: false },
        page: '/benchmarks/ben_01',
      },
    },
  ],
  link: ({ page }) => page,
  markdown: ({ text }) => text,
})
