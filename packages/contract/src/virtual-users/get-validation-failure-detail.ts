import { z } from 'zod'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { actionResultShape, exampleActionResult, exchangeRole, timingsShape } from './validation-shapes.ts'

const header = z.object({ name: z.string(), value: z.string() })

const bodyShape = z.object({
  content_type: z.string().nullable(),
  size_bytes: z.number(),
  encoding: z.enum(['text', 'base64']),
  is_kept: z.boolean(),
  is_cut: z.boolean().describe('Only its beginning is kept.'),
})

/** A request and its answer, as the recording or the validation has it. */
const exchangeShape = z.object({
  role: exchangeRole,
  method: z.string(),
  request_url: z.string(),
  request_headers: z.array(header),
  request_body: bodyShape.nullable(),
  status: z.number().int().nullable(),
  response_headers: z.array(header),
  response_body: bodyShape.nullable(),
  error: z.string().nullable(),
  remote_address: z.string().nullable(),
  timings_ms: timingsShape,
})

export const getValidationFailureDetail = defineOperation({
  id: 'get_validation_failure_detail',
  title: 'One action of a validation',
  description: 'Recorded and replayed exchange of one action, checks, variables, one body.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/validations/{validation_id}/actions/{action_id}' },
  input: z.strictObject({
    validation_id: z.string().min(1).max(64).describe('val_…'),
    action_id: z.string().min(1).max(64).describe('act_…'),
    iteration: z.int32().min(1).default(1).describe('Which one.'),
    sequence: z.int32().min(0).optional().describe('Which of several in a loop.'),
    body: z
      .enum(['none', 'recorded_request', 'recorded_response', 'request', 'response', 'diff'])
      .default('none')
      .describe('To show; diff: of both responses.'),
    exchange: z.int32().min(0).default(0).describe('0 is the last hop.'),
    pretty: z.boolean().default(true).describe('Lay JSON, XML and forms out.'),
    max_characters: z.number().int().min(100).max(40_000).default(8000).describe('Of the body.'),
    offset: z.int32().min(0).default(0).describe('Characters to pass over.'),
  }),
  output: z.object({
    action: actionResultShape,
    virtual_user_id: z.string(),
    validation_id: z.string(),
    judgement: z.string(),
    assertions: z.array(z.object({ id: z.string(), outcome: z.string(), message: z.string() })),
    extractors: z.array(
      z.object({ id: z.string(), variable: z.string(), outcome: z.string(), value: z.string().nullable() }),
    ),
    variables: z.record(z.string(), z.string()).describe('What it set; secrets are dots.'),
    messages: z.array(z.string()),
    recorded: exchangeShape.nullable(),
    exchanges: z.array(exchangeShape),
    omitted_exchanges: z.number().int(),
    text: z.string().nullable().describe('The body that was asked for.'),
    text_characters: z.number().int().describe('Of all of it.'),
    screenshot_file_id: z.string().nullable().describe('PNG for download_file.'),
    trace_file_id: z.string().nullable().describe('For download_file; opens in the Playwright trace viewer.'),
  }),
  problems: ['validation_not_found', 'action_not_found'],
  examples: [
    {
      title: 'A login that failed',
      input: { validation_id: 'val_01', action_id: 'act_05' },
      output: {
        action: exampleActionResult,
        virtual_user_id: 'vu_01',
        validation_id: 'val_01',
        judgement: 'It answered 403; recorded was 302.',
        assertions: [],
        extractors: [],
        variables: {},
        messages: [],
        recorded: null,
        exchanges: [],
        omitted_exchanges: 0,
        text: null,
        text_characters: 0,
        screenshot_file_id: null,
        trace_file_id: null,
      },
    },
  ],
  link: ({ virtual_user_id, validation_id, action }) =>
    `/virtual-users/${virtual_user_id}/validations/${validation_id}?action=${encodeURIComponent(action.action_id)}`,
  markdown: ({ action, judgement, assertions, extractors, variables, recorded, exchanges, text }) =>
    [
      `**${action.name || action.type}** (${action.action_id}): ${action.outcome}. ${judgement}`,
      ...assertions.map(({ outcome, message }) => `- assertion ${outcome}: ${message}`),
      ...extractors.map(
        ({ variable, outcome, value }) => `- \${${variable}} ${outcome}${value === null ? '' : `: ${value}`}`,
      ),
      facts(variables),
      ...(recorded === null ? [] : ['Recorded:', exchangeWords(recorded)]),
      ...exchanges.map((each) => `Replayed (${each.role}):\n\n${exchangeWords(each)}`),
      ...(text === null ? [] : [`\`\`\`\`\n${text}\n\`\`\`\``]),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
})

function exchangeWords(exchange: z.output<typeof exchangeShape>): string {
  return [
    `\`\`\`http\n${exchange.method} ${exchange.request_url}\n${headerLines(exchange.request_headers)}\n\`\`\``,
    exchange.error ??
      `\`\`\`http\n${exchange.status}\n${headerLines(exchange.response_headers)}\n\`\`\`\n${exchange.timings_ms.total} ms, ${exchange.response_body?.size_bytes ?? 0} bytes`,
  ].join('\n\n')
}

function headerLines(headers: readonly z.output<typeof header>[]): string {
  return headers.map(({ name, value }) => `${name}: ${value}`).join('\n')
}
