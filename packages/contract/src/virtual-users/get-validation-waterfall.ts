import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import {
  actionResultShape,
  exampleActionResult,
  exampleValidation,
  exchangeRole,
  timingsShape,
  validationLink,
  validationShape,
} from './validation-shapes.ts'

export const getValidationWaterfall = defineOperation({
  id: 'get_validation_waterfall',
  title: 'When everything of a validation happened',
  description: 'Each action of a validation in order, with the time that each of its exchanges took.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/validations/{validation_id}/waterfall' },
  input: z.strictObject({
    validation_id: z.string().min(1).max(64).describe('val_…'),
    iteration: z.int32().min(1).optional().describe('Only of this one.'),
  }),
  output: z.object({
    validation: validationShape,
    actions: z.array(
      z.object({
        ...actionResultShape.shape,
        exchanges: z
          .array(z.object({ role: exchangeRole, started_at: timestamp, timings_ms: timingsShape }))
          .describe('The first 50, as get_validation_failure_detail has them.'),
      }),
    ),
    omitted_actions: z.number().int().describe('Only the first 2,000 are told.'),
    next_poll_seconds: z.number().int().nullable().describe('null when it has ended.'),
  }),
  problems: ['validation_not_found'],
  examples: [
    {
      title: 'One action',
      input: { validation_id: 'val_01' },
      output: {
        validation: exampleValidation,
        actions: [
          {
            ...exampleActionResult,
            exchanges: [
              {
                role: 'main',
                started_at: '2026-11-20T10:00:01.400Z',
                timings_ms: {
                  blocked: 0.1,
                  dns: 1,
                  connect: 2,
                  tls: 4,
                  send: 0.2,
                  first_byte: 4.8,
                  download: 0.4,
                  total: 12.5,
                },
              },
            ],
          },
        ],
        omitted_actions: 0,
        next_poll_seconds: null,
      },
    },
  ],
  link: ({ validation }) => validationLink(validation),
  markdown: ({ validation, actions, omitted_actions }) =>
    [
      facts({ Validation: `${validation.id}, ${validation.state}`, Message: validation.message }),
      table(
        ['Action', 'Outcome', 'Started', { title: 'ms', right: true }],
        actions.map((each) => [
          each.name || each.type,
          each.outcome,
          each.started_at,
          Math.round(each.duration_ms),
        ]),
        'Nothing happened yet.',
      ),
      ...(omitted_actions === 0 ? [] : [`${omitted_actions} more are not told.`]),
    ].join('\n\n'),
})
