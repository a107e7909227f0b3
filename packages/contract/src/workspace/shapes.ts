import { z } from 'zod'
import { auditDecisions } from '../audit-decision.ts'
import { repository, tags, timestamp } from '../fields.ts'
import { roleSchema } from '../role.ts'
import { scopeSchema } from '../scope.ts'

export const workspaceShape = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  plan: z.string(),
  role: roleSchema.describe('What you may do there.'),
  deletes_at: timestamp
    .nullable()
    .describe('When it is deleted; until then nobody changes anything. null: it stays.'),
})

export const workspaceName = z.string().trim().min(1).max(100).describe('Name of the workspace.')

export const memberShape = z.object({
  email: z.string(),
  name: z.string().nullable().describe('null until an invited person joins.'),
  role: roleSchema,
  status: z.enum(['active', 'invited']),
  since: timestamp,
})

export const originRule = z.strictObject({
  in: z.enum(['file', 'function']).describe('Whether the file or the name of a function has the pattern.'),
  pattern: z
    .string()
    .max(200)
    .regex(/[^*]/, 'Write some text besides *.')
    .describe('Text that is somewhere in it; * in it is any text. Folders are divided by /.'),
  origin: z
    .string()
    .trim()
    .min(1, 'Say whose code it is.')
    .max(100)
    .describe('User code, Standard library, Runtime, Kernel, Unknown, or the name of a dependency.'),
})

export const forge = z.enum(['github', 'gitlab', 'bitbucket', 'gitea'])

export const projectShape = z.object({
  id: z.string(),
  workspace_id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  tags,
  repository: repository.nullable(),
  default_branch: z.string().nullable().describe('null: main, or master where there is no main.'),
  baseline_run_id: z
    .string()
    .nullable()
    .describe('The run that all others are held against, when one is pinned.'),
  keyless_uploads: z
    .boolean()
    .describe('Whether GitHub Actions of its repository may upload without a token.'),
  alerts_off_since: timestamp.nullable().describe('null: its runs raise alerts.'),
  origin_rules: z
    .array(originRule)
    .describe('Whose code functions of its profiles are, before the built-in rules.'),
  forge: forge.nullable().describe('What kind of site has the repository; null: GitHub.'),
  forge_url: z.string().nullable().describe('Where that site is; null: the public one of its kind.'),
  version: z.number().int().describe('Grows with every change; the ETag of the project.'),
  run_count: z.number().int(),
  benchmark_count: z.number().int(),
  profile_count: z.number().int(),
  created_at: timestamp,
  updated_at: timestamp,
})

export const apiTokenShape = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The first characters of the secret.'),
  scopes: z.array(scopeSchema),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
})

export const auditEventShape = z.object({
  id: z.string(),
  at: timestamp,
  user_id: z.string(),
  user_email: z.string().nullable(),
  via: z.string().describe('session, oauth or api_token; call_tool for what that called.'),
  client_id: z.string(),
  client_name: z.string(),
  operation: z.string(),
  effect: z.string(),
  target: z.string().nullable(),
  arguments_digest: z
    .string()
    .nullable()
    .describe('The same for calls with the same arguments in this workspace; says nothing else about them.'),
  decision: z
    .enum(auditDecisions)
    .describe(
      'refused: turned away; outcome says by what. confirmation_required: asked whether that is meant.',
    ),
  outcome: z.string().describe('ok, or the code of the problem.'),
  status: z.number().int(),
  duration_ms: z.number(),
  answer_bytes: z.number().int().describe('Of the answer as JSON; 0 for a problem.'),
  request_id: z.string(),
  trace_id: z.string().nullable(),
})

/** What an audit search is narrowed to. */
export const auditFilterInput = {
  operation: z.string().max(40).optional().describe('Only this operation, such as compare_runs.'),
  user_id: z
    .string()
    .max(254)
    .optional()
    .describe('Only what this person did: their id, or the e-mail address of a member.'),
  client_id: z.string().max(300).optional().describe('Only what came through this client.'),
  decision: z.enum(auditDecisions).optional().describe('Only what was decided so.'),
  outcome: z.string().max(60).optional().describe('Only this outcome: ok, or the code of a problem.'),
  target: z.string().min(1).max(64).optional().describe('Only about a thing whose id holds this text.'),
  since: timestamp.optional().describe('Not before this time.'),
  until: timestamp.optional().describe('Before this time.'),
}

export const exampleProject: z.output<typeof projectShape> = {
  id: 'prj_01',
  workspace_id: 'ws_01',
  slug: 'checkout-service',
  name: 'checkout-service',
  description: 'Cart pricing',
  tags: ['node'],
  repository: 'acme/checkout-service',
  default_branch: null,
  baseline_run_id: null,
  keyless_uploads: false,
  alerts_off_since: null,
  origin_rules: [],
  forge: null,
  forge_url: null,
  version: 1,
  run_count: 8,
  benchmark_count: 6,
  profile_count: 4,
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
}
