import { Problem, type Caller, type PlanLimits } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { UsageStore } from '../ports/index.ts'
import { agentHourWords } from './agent-hours.ts'
import { plansWith } from './testing/plans-with.ts'
import { enterUpload } from './upload-limits.ts'
import { limitsOf, type LimitFactor } from './workspace-limits.ts'

const caller: Caller = {
  principal: { userId: 'usr_1', via: 'session', clientId: 'web', clientName: 'Web', scopes: ['write'] },
  roles: new Map([['ws_1', 'member']]),
  access: 'write',
}

/** What is used so far, and what was counted. */
function opened(
  plan: Partial<PlanLimits>,
  used: { storedBytes?: number; uploads?: number; usedSeconds?: number; promisedSeconds?: number } = {},
  limits: LimitFactor = { factor: 1 },
) {
  let uploads = used.uploads ?? 0
  const usage: UsageStore = {
    listDays: async () => [],
    countStorageBytes: async () => used.storedBytes ?? 0,
    countAgentSeconds: async () => ({
      usedSeconds: used.usedSeconds ?? 0,
      promisedSeconds: used.promisedSeconds ?? 0,
    }),
    countUpload: async (_caller, _workspaceId, { uploadsMax }) => {
      if (uploads >= uploadsMax) return false
      uploads += 1
      return true
    },
  }
  return { caller, deps: { stores: { plans: plansWith(plan), usage }, limits }, uploadsNow: () => uploads }
}

async function refusalOf(work: Promise<unknown>): Promise<Problem> {
  try {
    await work
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('It was not refused')
}

test('what there is no room for is refused before it is counted, and says what to do', async () => {
  const at = opened({ storage_bytes: 1000 }, { storedBytes: 900 })
  await enterUpload(at, 'ws_1', 100)
  const refusal = await refusalOf(enterUpload(at, 'ws_1', 101))
  expect(refusal).toMatchObject({ code: 'plan_limit_reached', status: 402 })
  expect(refusal.message).toContain('The files of this workspace take 900 B, and its plan Free has 1,000 B')
  expect(refusal.message).toContain('Delete profiles')
  expect(refusal.hint).toMatchObject({ operation: 'get_usage' })
  expect(refusal.retryAfterSeconds).toBeUndefined()
  expect(at.uploadsNow()).toBe(1)
})

test('after the last upload of a day the next is refused until midnight', async () => {
  const at = opened({ uploads_per_day: 2 })
  await enterUpload(at, 'ws_1', 1)
  await enterUpload(at, 'ws_1', 1)
  const refusal = await refusalOf(enterUpload(at, 'ws_1', 1))
  expect(refusal.message).toContain('has 2 uploads a day, and so many came today')
  const midnight = (Date.now() + (refusal.retryAfterSeconds ?? 0) * 1000) % 86_400_000
  expect(Math.min(midnight, 86_400_000 - midnight)).toBeLessThan(60_000)
})

test('a run is refused when it, and those under way, may take more agent hours than there are', async () => {
  const used = { usedSeconds: 3600, promisedSeconds: 1800 }
  const at = opened({ agent_hours_per_month: 2 }, used)
  expect(await agentHourWords(at, 'ws_1', 1800)).toBeUndefined()
  expect(await agentHourWords(at, 'ws_1', 1801)).toBe(
    'The plan Free of this workspace has 2 hours of agents a month. Since the first 1 h were used, ' +
      'runs that are under way may take 0.5 h, and this run takes 0.5 h at least.',
  )
  expect(await agentHourWords(opened({ agent_hours_per_month: null }, used), 'ws_1', 1e9)).toBeUndefined()
})

test('an installation multiplies what plans have, and may lift all of it, but not what is kept of a live app', async () => {
  const plan = { uploads_per_day: 100, storage_bytes: null, load_users: 10, live_app_bytes: 1000 }
  expect(await limitsOf(opened(plan, {}, { factor: 2 }).deps, 'ws_1')).toMatchObject({
    uploadsPerDay: 200,
    storageBytes: Infinity,
    loadUsers: 20,
    liveAppBytes: 2000,
  })
  const lifted = await limitsOf({ ...opened(plan).deps, limits: undefined }, 'ws_1')
  expect(lifted).toMatchObject({ uploadsPerDay: Infinity, loadUsers: Infinity, liveAppBytes: 1000 })
})
