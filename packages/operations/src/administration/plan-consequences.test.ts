import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { PlanUse } from '../ports/index.ts'
import { consequencesOf } from './plan-consequences.ts'

const examplePlan = operations.listPlans.examples[0]?.output.plans[0]
if (examplePlan === undefined) throw new Error('no plan')
const { limits } = examplePlan

const nothingUsed: PlanUse = {
  workspaceId: 'ws_1',
  storageBytes: 0,
  resultBytes: 0,
  resultFileBytes: 0,
  liveRecordingBytes: 0,
  mcpReportBytes: 0,
  uploadsToday: 0,
  agentSecondsThisMonth: 0,
  oldRuns: 0,
  oldProfiles: 0,
  oldBenchResults: 0,
  oldLiveRecordings: 0,
  oldMcpSessions: 0,
}

test('tells how many workspaces use more than a limit, and who uses most; as much as it is none', () => {
  const uses = [10, 11, 12].map((uploadsToday) => ({ ...nothingUsed, uploadsToday }))
  expect(consequencesOf(uses, { ...limits, uploads_per_day: 10 }, 1)).toEqual({
    exceeded: [{ limit: 'uploads_per_day', most: 10, workspace_count: 2, most_used: 12 }],
    removed: [],
  })
  expect(consequencesOf(uses, { ...limits, uploads_per_day: 12 }, 1).exceeded).toEqual([])
})

test('goes by what the installation makes of limits; where there is none, nothing is over it', () => {
  const uses = [{ ...nothingUsed, agentSecondsThisMonth: 3 * 3600 }]
  const two = { ...limits, agent_hours_per_month: 2 }
  expect(consequencesOf(uses, two, 1).exceeded).toMatchObject([
    { limit: 'agent_hours_per_month', most_used: 3 },
  ])
  expect(consequencesOf(uses, two, 2).exceeded).toEqual([])
  expect(consequencesOf(uses, two, Infinity).exceeded).toEqual([])
  expect(consequencesOf(uses, { ...limits, agent_hours_per_month: null }, 1).exceeded).toEqual([])
})

test('adds up what is too old', () => {
  const uses = [{ ...nothingUsed, oldRuns: 3, oldProfiles: 1 }, { ...nothingUsed, oldRuns: 4 }, nothingUsed]
  expect(consequencesOf(uses, limits, 1).removed).toEqual([
    { kind: 'runs', count: 7, workspace_count: 2 },
    { kind: 'profiles', count: 1, workspace_count: 1 },
  ])
})
