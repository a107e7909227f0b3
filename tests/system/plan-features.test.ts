import { catalogue, featureNames, operations, toolsetNames } from '@flamegate/contract'
import { beforeAll, expect, test, vi } from 'vitest'
import { callRest } from './calls.ts'
import { givePlan } from './give-plan.ts'
import { inputs } from './inputs.ts'
import { apiToken } from './person.ts'
import { createWorld, type World } from './world.ts'

/** A plan without any feature: whether each operation asks for what it belongs to. A new one joins by its line in inputs.ts. */

let world: World
let token: string

beforeAll(async () => {
  world = await createWorld()
  token = await apiToken(world.owner, ['read', 'write', 'run', 'admin', 'upload'])
  await givePlan(world.owner, { features_off: [...featureNames] })
  const { createVariable } = operations
  // A process goes by the plan of before for ten seconds.
  await vi.waitFor(
    async () => {
      const input = inputs[createVariable.id]?.(world) ?? {}
      const { code } = await callRest(createVariable, input, { token })
      if (code !== 'feature_off') throw new Error(`The plan is not there yet: ${code}`)
    },
    { timeout: 60_000, interval: 200 },
  )
})

const ofFeatures = catalogue.filter(({ toolset }) => featureNames.some((name) => name === toolset))
// What is about no workspace has no plan, and what was ordered before comes to its end.
const refused = ofFeatures.filter(
  ({ id, effect, scopes, tenancy }) =>
    (effect === 'write' || effect === 'run') &&
    scopes[0] !== 'agent' &&
    tenancy !== 'none' &&
    id !== operations.reportMcpSession.id,
)

test('features are all toolsets but what everybody needs', () => {
  expect(toolsetNames.filter((name) => !featureNames.some((feature) => feature === name))).toEqual([
    'workspace',
    'general',
  ])
})

test.each(refused.map((operation) => [operation.id, operation] as const))(
  '%s is refused without its feature',
  async (id, operation) => {
    const { code } = await callRest(operation, inputs[id]?.(world) ?? {}, { token })
    expect(code).toBe('feature_off')
  },
)

test('a session that was ordered before is told of', async () => {
  const { reportMcpSession } = operations
  const { code } = await callRest(reportMcpSession, inputs[reportMcpSession.id]?.(world) ?? {}, { token })
  expect(code).not.toBe('feature_off')
})

test.each(
  ofFeatures.flatMap((operation) =>
    operation.effect === 'read' ? [[operation.id, operation] as const] : [],
  ),
)('%s reads what there is', async (id, operation) => {
  const { code } = await callRest(operation, inputs[id]?.(world) ?? {}, { token })
  expect(code).not.toBe('feature_off')
})
