import { z } from 'zod'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { searchKinds } from './search-kinds.ts'

export const search = defineOperation({
  id: 'search',
  title: 'Search',
  description:
    'Projects, runs, benchmarks, profiles, virtual users and bench reports by words: names, branches, commit hashes and messages, tags. What has every word, or the beginnings, best first; of a sentence some words do. fetch gives the text of a result.',
  toolset: 'general',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/search' },
  toolText: 'json',
  input: z.strictObject({
    query: z.string().min(1).max(500).describe('Words, or beginnings of words, in any order.'),
    project_id: projectId.optional().describe('Only in this project.'),
    ...pageInput,
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string().describe('Give it to fetch.'),
        title: z.string(),
        url: z.string().describe('Its page in the web UI.'),
        kind: z.enum(searchKinds),
        project_id: z.string(),
        project: z.string().describe('Name of the project it is in.'),
        snippet: z.string(),
      }),
    ),
    ...pageOutput,
  }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'A benchmark, by parts of its name',
      input: { query: 'pricing::price' },
      output: {
        results: [
          {
            id: 'ben_01',
            title: 'price cart',
            url: 'https://flamegate.example/benchmarks/ben_01',
            kind: 'benchmark',
            project_id: 'prj_01',
            project: 'checkout-service',
            snippet: 'bench/pricing.bench.js::pricing::price cart · walltime',
          },
        ],
        next_cursor: null,
      },
    },
  ],
  link: () => '/',
  markdown: ({ results, next_cursor }) =>
    table(
      ['What', 'Title', 'Id', 'Project', 'About'],
      results.map((result) => [result.kind, result.title, result.id, result.project, result.snippet]),
      'Nothing has all of these words. Try fewer, or only their beginnings.',
    ) + moreLine(next_cursor),
})
