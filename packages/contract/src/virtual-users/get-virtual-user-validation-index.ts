import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { facts, moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import {
  actionResultShape,
  exampleActionResult,
  exampleValidation,
  validationLink,
  validationShape,
} from './validation-shapes.ts'

export const getVirtualUserValidationIndex = defineOperation({
  id: 'get_virtual_user_validation_index',
  title: 'What a validation found',
  description:
    'State of the latest (or another) validation, failures grouped by cause, and each action in order. get_validation_failure_detail has the exchanges.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/virtual-users/{virtual_user_id}/validations/latest' },
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    validation_id: z.string().max(64).optional().describe('Another than the latest (val_…).'),
    outcome: z.enum(['all', 'failed', 'passed', 'skipped']).default('all').describe('Which to list.'),
    ...pageInput,
  }),
  output: z.object({
    validation: validationShape,
    causes: z.array(
      z.object({
        cause: z.string(),
        words: z.string().describe('Of the first.'),
        advice: z.string(),
        count: z.number().int(),
        action_ids: z.array(z.string()).describe('The first ten.'),
      }),
    ),
    likely_values: z
      .array(
        z.object({
          action_id: z.string(),
          why: z.string(),
          value: z.string().nullable(),
          replayed_value: z.string().nullable(),
          suggestion_id: z.string().nullable(),
        }),
      )
      .describe('Recorded values that were sent again and are the likely cause.'),
    actions: z.array(actionResultShape),
    next_poll_seconds: z.number().int().nullable().describe('null when it has ended.'),
    ...pageOutput,
  }),
  problems: ['virtual_user_not_found', 'validation_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'A stale token',
      input: { virtual_user_id: 'vu_01', outcome: 'failed' },
      output: {
        validation: exampleValidation,
        causes: [
          {
            cause: 'stale_value',
            words: 'It answered 403; recorded was 302.',
            advice: 'Look at suggest_correlations.',
            count: 1,
            action_ids: ['act_05'],
          },
        ],
        likely_values: [
          {
            action_id: 'act_05',
            why: 'csrf_token came in the answer of GET /login.',
            value: 'b7Jd93kfLq',
            replayed_value: 'Zq81mmPaVb',
            suggestion_id: 'sug_1f3a',
          },
        ],
        actions: [exampleActionResult],
        next_poll_seconds: null,
        next_cursor: null,
      },
    },
  ],
  link: ({ validation }) => validationLink(validation),
  markdown: ({ validation, causes, likely_values, actions, next_poll_seconds, next_cursor }) =>
    [
      facts({
        Validation: `${validation.id}, ${validation.state}`,
        Actions: `${validation.passed} passed, ${validation.failed} failed, ${validation.skipped} skipped`,
        Message: validation.message,
      }),
      ...causes.map(({ cause, count, words, advice }) => `**${cause}** (${count}): ${words} ${advice}`),
      ...likely_values.map(({ action_id, why }) => `- ${action_id}: ${why}`),
      table(
        [
          'Action',
          'Id',
          'Outcome',
          { title: 'Status', right: true },
          { title: 'ms', right: true },
          'Failure',
        ],
        actions.map((each) => [
          each.name || each.type,
          each.action_id,
          each.outcome,
          each.status,
          Math.round(each.duration_ms),
          each.failure,
        ]),
        'No action of that kind.',
      ),
      ...(next_poll_seconds === null ? [] : [`Ask again in ${next_poll_seconds} s.`]),
    ].join('\n\n') + moreLine(next_cursor),
})
