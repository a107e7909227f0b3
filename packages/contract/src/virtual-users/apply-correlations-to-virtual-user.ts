import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { ifVersion } from './design-shapes.ts'

export const applyCorrelationsToVirtualUser = defineOperation({
  id: 'apply_correlations_to_virtual_user',
  title: 'Correlate a virtual user',
  description:
    "Applies suggestions, a framework's rules, or the project's rules as extractors, as a new version; undo by patch_virtual_user restore_version.",
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/virtual-users/{virtual_user_id}/correlations' },
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    suggestion_ids: z.array(z.string().max(64)).max(200).optional().describe('Of suggest_correlations.'),
    all_suggestions: z.boolean().default(false).describe('Those of min_confidence.'),
    min_confidence: z.number().min(0).max(1).default(0.5).describe('For all_suggestions.'),
    framework: z.string().max(60).optional().describe('Of list_correlation_rules.'),
    project_rules: z.boolean().default(false).describe('All enabled rules of the project.'),
    if_version: ifVersion,
    dry_run: z.boolean().default(false).describe('Only tell.'),
  }),
  output: z.object({
    virtual_user_id: z.string(),
    version: z.number().int(),
    previous_version: z.number().int(),
    applied: z.array(
      z.object({
        variable: z.string(),
        extractor_action_id: z.string(),
        extractor_action_name: z.string(),
        recorded_value: z.string(),
        replaced: z.number().int().describe('Places where it is sent.'),
      }),
    ),
    notes: z.array(z.string()),
  }),
  problems: [
    'virtual_user_not_found',
    'no_recording',
    'version_mismatch',
    'invalid_input',
    'insufficient_role',
  ],
  examples: [
    {
      title: 'All that is likely',
      input: { virtual_user_id: 'vu_01', all_suggestions: true },
      output: {
        virtual_user_id: 'vu_01',
        version: 4,
        previous_version: 3,
        applied: [
          {
            variable: 'csrf_token',
            extractor_action_id: 'act_02',
            extractor_action_name: 'GET /login',
            recorded_value: 'b7Jd93kfLq',
            replaced: 1,
          },
        ],
        notes: [],
      },
    },
  ],
  version: ({ version }) => version,
  link: ({ virtual_user_id }) => `/virtual-users/${virtual_user_id}`,
  markdown: ({ applied, version, previous_version, notes }) =>
    [
      `Version ${version} (before: ${previous_version}).`,
      table(
        ['Variable', 'Taken from', { title: 'Places', right: true }],
        applied.map(({ variable, extractor_action_id, replaced }) => [
          variable,
          extractor_action_id,
          replaced,
        ]),
        'Nothing was to be replaced.',
      ),
      ...notes,
    ].join('\n\n'),
})
