import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { fieldChangesShape, fieldChangeText } from '../virtual-users/design-shapes.ts'

export const scenarioShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  version: z.number().int(),
  loads: z.array(z.string()).describe('A line for each user profile that is enabled, the first 20.'),
  virtual_user_ids: z.array(z.string()),
  thresholds: z.array(z.string()).describe('As text, the first 20.'),
  duration_ms: z.number(),
  users_max: z.number().describe('At once.'),
  rate_per_second_max: z.number().describe('Iterations of open loads that begin.'),
  created_at: timestamp,
  updated_at: timestamp,
})
type ScenarioShape = z.output<typeof scenarioShape>

export const exampleScenario: ScenarioShape = {
  id: 'scn_01',
  project_id: 'prj_01',
  name: 'Checkout',
  description: '',
  tags: ['shop'],
  version: 2,
  loads: ['Buyers: ramp up, 50 users, 5 min'],
  virtual_user_ids: ['vu_01'],
  thresholds: ['p95 duration of container "checkout" < 400 ms'],
  duration_ms: 300_000,
  users_max: 50,
  rate_per_second_max: 0,
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:05:00.000Z',
}

/** How one version of a scenario differs from another. */
export const scenarioChangeShape = z.object({
  change: z.enum(['added', 'removed', 'changed']),
  profile_id: z.string().nullable().describe('null: of the scenario itself.'),
  name: z.string(),
  fields: fieldChangesShape,
})
type ScenarioChangeShape = z.output<typeof scenarioChangeShape>

export const exampleScenarioChange: ScenarioChangeShape = {
  change: 'changed',
  profile_id: 'buyers',
  name: 'Buyers',
  fields: [{ pointer: '/load/users', before: '20', after: '50' }],
}

/** One line for each change. */
export function scenarioChangeLines(changes: readonly ScenarioChangeShape[]): string {
  return changes
    .map(({ change, profile_id: id, name, fields }) => {
      const what = id === null ? 'scenario' : `profile “${name}” ${id}`
      const details = fields.map((field) => ` ${fieldChangeText(field)}`)
      return `- ${change} ${what}${details.join(';')}`
    })
    .join('\n')
}

export function scenarioLink({ id }: { id: string }): string {
  return `/scenarios/${id}`
}
