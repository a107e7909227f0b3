import { z } from 'zod'
import { scenarioId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'

const grade = z.enum(['ok', 'warning', 'error'])

const capShape = z.object({
  asked: z.number(),
  most: z.number().nullable().describe('null: no limit.'),
  left: z.number().nullable().describe('Of the most, beside what is asked.'),
})

export const preflightScenario = defineOperation({
  id: 'preflight_scenario',
  title: 'Check whether a scenario can run',
  description: 'Without traffic: plan limits, targets, generators, design, expected requests.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/scenarios/{scenario_id}/preflight' },
  input: z.strictObject({ scenario_id: scenarioId }),
  output: z.object({
    scenario_id: z.string(),
    version: z.number().int(),
    grade: grade.describe('The worst of the checks; with an error it cannot run.'),
    checks: z.array(
      z.object({
        check: z.enum(['design', 'virtual_users', 'limits', 'targets', 'generators', 'estimate']),
        grade,
        code: z.string(),
        message: z.string(),
        advice: z.string().nullable().describe('What to do; null: nothing.'),
        pointer: z.string().nullable().describe('Where in the scenario.'),
      }),
    ),
    plan: z.string(),
    caps: z.object({
      users: capShape,
      rate_per_second: capShape,
      duration_ms: capShape,
      browser_users: capShape,
    }),
    estimate: z.object({
      iterations: z.number(),
      requests: z.number(),
      is_certain: z.boolean().describe('false: conditions, lists or pages decide.'),
    }),
  }),
  problems: ['scenario_not_found'],
  examples: [
    {
      title: 'A host that is not verified',
      input: { scenario_id: 'scn_01' },
      output: {
        scenario_id: 'scn_01',
        version: 2,
        grade: 'error',
        checks: [
          {
            check: 'targets',
            grade: 'error',
            code: 'target_unverified',
            message: 'shop.example.com is not verified.',
            advice: 'Prove that it is yours with verify_target.',
            pointer: '/profiles/0/virtual_user_id',
          },
        ],
        plan: 'free',
        caps: {
          users: { asked: 50, most: 10_000, left: 9950 },
          rate_per_second: { asked: 0, most: 20_000, left: 20_000 },
          duration_ms: { asked: 300_000, most: 86_400_000, left: 86_100_000 },
          browser_users: { asked: 0, most: 50, left: 50 },
        },
        estimate: { iterations: 2850, requests: 25_650, is_certain: true },
      },
    },
  ],
  link: ({ scenario_id }) => `/scenarios/${scenario_id}`,
  markdown: ({ grade: worst, checks, caps, estimate }) =>
    [
      { ok: 'It can run.', warning: 'It can run; look at the warnings.', error: 'It cannot run.' }[worst],
      table(
        ['Check', 'Grade', 'What', 'What to do', 'Where'],
        checks.map((each) => [each.check, each.grade, each.message, each.advice, each.pointer]),
        'Nothing was found.',
      ),
      table(
        ['Limit', { title: 'Asked', right: true }, { title: 'Most', right: true }],
        Object.entries(caps).map(([name, { asked, most }]) => [name, asked, most ?? 'not limited']),
        '',
      ),
      `About ${estimate.requests} requests in ${estimate.iterations} iterations${estimate.is_certain ? '' : ', if conditions, lists and pages are as guessed'}.`,
    ].join('\n\n'),
})
