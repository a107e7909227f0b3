import { z } from 'zod'
import { idPrefixes } from '../id.ts'
import { timestamp } from '../fields.ts'

/** What variables, HTTP servers and correlation rules have in common: documents of a project, with versions. */

export const variableId = z.string().min(1).max(64).describe(`Id of the variable (${idPrefixes.variable}_…).`)
export const httpServerId = z
  .string()
  .min(1)
  .max(64)
  .describe(`Id of the HTTP server (${idPrefixes.httpServer}_…).`)
export const correlationRuleId = z
  .string()
  .min(1)
  .max(64)
  .describe(`Id of the rule (${idPrefixes.correlationRule}_…).`)
export const designObjectId = z
  .string()
  .min(1)
  .max(64)
  .describe('Id of a variable (var_…), an HTTP server (srv_…) or a correlation rule (rul_…).')

export const ifVersion = z
  .int32()
  .optional()
  .describe('Only when it still has this version; over REST If-Match.')

/** Where two versions of a document differ, or of an action in it. */
export const fieldChangesShape = z
  .array(z.object({ pointer: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
  .describe('Values as JSON, shortened.')

/** One line for each field. */
export function fieldChangeLines(changes: z.output<typeof fieldChangesShape>): string {
  return changes.map((change) => `- ${fieldChangeText(change)}`).join('\n')
}

/** What a field was, and what it is. */
export function fieldChangeText({
  pointer,
  before,
  after,
}: z.output<typeof fieldChangesShape>[number]): string {
  return `${pointer}: ${before ?? '–'} → ${after ?? '–'}`
}

export const designKind = z.enum(['http_server', 'variable', 'correlation_rule'])

/** What names it: a virtual user, or another document of the project. */
export const usedByShape = z.array(
  z.object({
    id: z.string(),
    kind: z.enum([
      'virtual_user',
      'http_server',
      'variable',
      'correlation_rule',
      'scenario',
      'bench_report',
      'report_template',
      'sla_profile',
      'monitor',
    ]),
    name: z.string(),
  }),
)

/** Said of each in their listings. */
export const designFields = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.number().int(),
  updated_at: timestamp,
}

export const variableShape = z.object({
  ...designFields,
  type: z.string(),
  settings: z
    .record(z.string(), z.unknown())
    .describe('What its type has; long texts and lists are cut. A secret’s value is never shown.'),
  needs_value: z.boolean().describe('A secret that has none yet.'),
  used_by: usedByShape,
})

export const httpServerShape = z.object({
  id: designFields.id,
  name: designFields.name,
  version: designFields.version,
  updated_at: designFields.updated_at,
  base_url: z.string(),
  is_verified: z
    .boolean()
    .nullable()
    .describe('Whether the project may aim at its host; null where a variable decides.'),
  authentication: z.string().describe('Its kind; passwords and tokens are not told.'),
  header_names: z.array(z.string()),
  http_version: z.string(),
  verify_tls: z.boolean(),
  connect_timeout_ms: z.number(),
  timeout_ms: z.number(),
  used_by: usedByShape,
})

export const correlationRuleShape = z.object({
  ...designFields,
  enabled: z.boolean(),
  framework: z.string().nullable(),
  source: z.record(z.string(), z.unknown()).describe('Where in answers it looks.'),
  variable: z.string(),
  targets: z.array(z.string()),
  target_name: z.string().nullable(),
})

/** A document as it is, with where it belongs. */
export const designObjectShape = z.object({
  id: z.string(),
  project_id: z.string(),
  kind: designKind,
  name: z.string(),
  version: z.number().int(),
  has_secret: z.boolean(),
  is_deleted: z.boolean(),
  document: z.record(z.string(), z.unknown()),
  updated_at: timestamp,
})

const at = '2026-11-20T10:00:00.000Z'

export const exampleVariable: z.output<typeof variableShape> = {
  id: 'var_01',
  name: 'user_id',
  description: '',
  version: 1,
  updated_at: at,
  type: 'random_number',
  settings: { min: 1, max: 500, decimals: 0, renewed: 'each_iteration' },
  needs_value: false,
  used_by: [{ id: 'vu_01', kind: 'virtual_user', name: 'Checkout' }],
}

export const exampleHttpServer: z.output<typeof httpServerShape> = {
  id: 'srv_01',
  name: 'shop',
  version: 1,
  updated_at: at,
  base_url: 'https://shop.example.com',
  is_verified: true,
  authentication: 'none',
  header_names: [],
  http_version: 'http/1.1',
  verify_tls: true,
  connect_timeout_ms: 30_000,
  timeout_ms: 120_000,
  used_by: [],
}

export const exampleCorrelationRule: z.output<typeof correlationRuleShape> = {
  id: 'rul_01',
  name: 'CSRF token',
  description: '',
  version: 1,
  updated_at: at,
  enabled: true,
  framework: null,
  source: { type: 'regex', pattern: 'name="csrf" value="([^"]+)"', part: 'body' },
  variable: 'csrf',
  targets: ['body', 'header'],
  target_name: null,
}

export const exampleDesignObject: z.output<typeof designObjectShape> = {
  id: 'var_01',
  project_id: 'prj_01',
  kind: 'variable',
  name: 'user_id',
  version: 2,
  has_secret: false,
  is_deleted: false,
  document: { schema_version: 1, type: 'constant', name: 'user_id', description: '', value: '7' },
  updated_at: at,
}

/** Path of the page that lists documents of a kind. */
export function designPage(projectId: string, kind: z.output<typeof designKind>): string {
  return `/projects/${projectId}/${kind.replace('_', '-')}s`
}

/** In a cell: who uses it. */
export function userNames(users: z.output<typeof usedByShape>): string {
  return users.map(({ name }) => name).join(', ')
}
