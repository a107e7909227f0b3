import { catalogue, featureNames, operations, Problem, type Operation } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { requireFeatureOf } from './plan-features.ts'
import { plansWith } from './testing/plans-with.ts'

/** Ids of the operations that a workspace may not do with a plan that does without all of these. */
async function refused(off: readonly (typeof featureNames)[number][]): Promise<string[]> {
  const plans = plansWith({ features_off: [...off] })
  const outcomes = await Promise.all(
    catalogue.map(async (operation: Operation) => {
      try {
        await requireFeatureOf({ plans }, 'ws_1', operation)
        return []
      } catch (error) {
        if (error instanceof Problem && error.code === 'feature_off') return [operation.id]
        throw error
      }
    }),
  )
  return outcomes.flat()
}

test('of a feature that is off nothing is made or run, and all of it can be read, stopped and deleted', async () => {
  const none = await refused(['scenarios'])
  expect(none).toEqual(
    expect.arrayContaining(['create_scenario', 'patch_scenario', 'run_scenario', 'schedule_scenario']),
  )
  for (const { id } of [
    operations.listScenarios,
    operations.deleteScenario,
    operations.stopBenchResult,
    operations.stopAllBenchResults,
    operations.updateScheduledJob,
    // Of agents, with which a run that is under way comes to its end.
    operations.awaitShard,
    operations.reportShard,
    operations.addRequestLog,
    // Of others.
    operations.createReport,
    operations.submitBenchmarkResults,
  ]) {
    expect(none).not.toContain(id)
  }
})

test('a collector tells how a session ends that was ordered while there was the feature', async () => {
  const none = await refused(['mcp_servers'])
  expect(none).toContain(operations.uploadMcpReport.id)
  expect(none).not.toContain(operations.reportMcpSession.id)
})

test('each feature has something to do without, and what is no feature is always there', async () => {
  const asked = await Promise.all(
    featureNames.map(async (feature) => ({ feature, ids: await refused([feature]) })),
  )
  for (const { feature, ids } of asked) {
    const those = catalogue.filter(({ id }) => ids.includes(id))
    expect(new Set(those.map(({ toolset }) => toolset))).toEqual(new Set([feature]))
    expect(those.map(({ effect }) => effect)).not.toContain('read')
  }
  expect(await refused([])).toEqual([])
})

test('says which feature of which plan, and what to do', async () => {
  const plans = plansWith({ features_off: ['live'] })
  await expect(requireFeatureOf({ plans }, 'ws_1', operations.pushLive)).rejects.toMatchObject({
    status: 403,
    message: expect.stringMatching(/^The plan Free of this workspace does not have live \(Live metrics/),
    hint: { operation: 'get_usage' },
  })
})
