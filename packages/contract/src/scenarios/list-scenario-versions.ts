import { z } from 'zod'
import { scenarioId, timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleScenarioChange, scenarioChangeLines, scenarioChangeShape } from './scenario-shapes.ts'

export const listScenarioVersions = defineOperation({
  id: 'list_scenario_versions',
  title: 'List versions of a scenario',
  description: 'Every version, newest first; how two differ. patch_scenario goes back to one.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/scenarios/{scenario_id}/versions' },
  mcp: false,
  input: z.strictObject({
    scenario_id: scenarioId,
    compare: z
      .string()
      .refine((text) => /^[1-9]\d{0,8}\.\.[1-9]\d{0,8}$/.test(text), 'Write two versions as 2..5.')
      .optional()
      .describe('How two differ: 2..5.'),
    before_version: z.int32().min(1).optional().describe('Only older ones.'),
    limit: z.number().int().min(1).max(100).default(20).describe('How many at most.'),
  }),
  output: z.object({
    scenario_id: z.string(),
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
    changes: z.array(scenarioChangeShape).nullable().describe('The first 200; null without compare.'),
    change_count: z.number().int().nullable(),
  }),
  problems: ['scenario_not_found', 'document_not_found'],
  examples: [
    {
      title: 'What the last change was',
      input: { scenario_id: 'scn_01', compare: '1..2', limit: 1 },
      output: {
        scenario_id: 'scn_01',
        versions: [
          {
            version: 2,
            label: null,
            change: 'replace /profiles/0/load/users',
            author_email: 'ada@example.com',
            author_client: 'Claude',
            created_at: '2026-11-20T10:05:00.000Z',
          },
        ],
        next_before: 2,
        changes: [exampleScenarioChange],
        change_count: 1,
      },
    },
  ],
  link: ({ scenario_id }) => `/scenarios/${scenario_id}/versions`,
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
      ...(changes === null ? [] : [`${change_count} changes:`, scenarioChangeLines(changes)]),
    ].join('\n\n'),
})
