import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'

const place = z.object({
  action_id: z.string(),
  name: z.string(),
  where: z.string().describe('Such as body, header location, query sid.'),
  snippet: z.string(),
})

export const suggestCorrelations = defineOperation({
  id: 'suggest_correlations',
  title: 'Find values to correlate',
  description:
    'Dynamic values of the recording that came in an answer and are sent later, with evidence and confidence.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/virtual-users/{virtual_user_id}/correlation-suggestions' },
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    min_confidence: z.number().min(0).max(1).default(0.3).describe('From 0 to 1.'),
    limit: z.number().int().min(1).max(200).default(50).describe('How many at most.'),
  }),
  output: z.object({
    virtual_user_id: z.string(),
    version: z.number().int(),
    suggestions: z.array(
      z.object({
        id: z.string().describe('For apply_correlations_to_virtual_user.'),
        variable: z.string(),
        confidence: z.number(),
        why: z.string(),
        recorded_value: z.string(),
        replayed_values: z.array(z.string()),
        extractor: z.record(z.string(), z.unknown()),
        source: place,
        uses: z.array(place),
      }),
    ),
    notes: z.array(z.string()),
  }),
  problems: ['virtual_user_not_found', 'no_recording'],
  examples: [
    {
      title: 'A CSRF token',
      input: { virtual_user_id: 'vu_01' },
      output: {
        virtual_user_id: 'vu_01',
        version: 3,
        suggestions: [
          {
            id: 'sug_1f3a',
            variable: 'csrf_token',
            confidence: 0.96,
            why: 'Its name says so, it is random, and the replay was given another one.',
            recorded_value: 'b7Jd93kfLq',
            replayed_values: ['Zq81mmPaVb'],
            extractor: { type: 'css', selector: 'input[name="csrf_token"]', attribute: 'value' },
            source: {
              action_id: 'act_02',
              name: 'GET /login',
              where: 'body',
              snippet: '<input name="csrf_token" value="b7Jd93kfLq">',
            },
            uses: [
              {
                action_id: 'act_05',
                name: 'POST /login',
                where: 'form field csrf_token',
                snippet: 'csrf_token=b7Jd93kfLq',
              },
            ],
          },
        ],
        notes: [],
      },
    },
  ],
  link: ({ virtual_user_id }) => `/virtual-users/${virtual_user_id}/correlations`,
  markdown: ({ suggestions, notes }) =>
    [
      table(
        ['Id', 'Variable', { title: 'Confidence', right: true }, 'From', 'Sent in', 'Why'],
        suggestions.map(({ id, variable, confidence, source, uses, why }) => [
          id,
          variable,
          confidence.toFixed(2),
          `${source.name} (${source.where})`,
          uses.map((use) => `${use.name} (${use.where})`).join('; '),
          why,
        ]),
        'Nothing that looks dynamic.',
      ),
      ...notes,
    ].join('\n\n'),
})
