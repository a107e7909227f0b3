import { Problem, type Caller } from '@flamegate/contract'
import { livePush } from '@flamegate/live'
import { beforeEach, expect, test } from 'vitest'
import type { Deps } from '../implement.ts'
import { plansWith } from '../limits/testing/plans-with.ts'
import { LiveAppGone, LiveBusy, type Claim, type LiveApp, type LiveStore } from '../ports/index.ts'
import { takePush, valuesOf, type Taking } from './take-push.ts'

const app: LiveApp = {
  id: 'app_1',
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  name: 'shop',
  createdAt: new Date(0),
  lastPushAt: null,
  endedAt: null,
  sizeBytes: 0,
}
const caller: Caller = {
  principal: { userId: 'usr_1', via: 'api_token', clientId: 'tok_1', clientName: 'shop', scopes: ['push'] },
  roles: new Map([['ws_1', 'member']]),
  access: 'write',
}
const push = livePush.parse({
  session: 'session-1',
  sequence: 0,
  at: 1,
  sections: {
    gauges: { status: 'on', items: [{ id: '1', name: 'g' }] },
    threads: { status: 'off' },
  },
  logs: [
    { section: 'gauges', item: '1', at: [1, 2] },
    { section: 'gauges', item: '2', at: [3] },
  ],
})

let done: string[]
let claims: Claim[]
let refusing: boolean
let failing: Error | undefined

beforeEach(() => {
  done = []
  claims = []
  refusing = false
  failing = undefined
})

function context(factor = 1): Taking {
  const live: Pick<LiveStore, 'push' | 'trim'> = {
    push: async () => {
      if (failing !== undefined) throw failing
      done.push('push')
      return 'stored'
    },
    trim: async (_caller, _app, bytesMax) => void done.push(`trim ${bytesMax}`),
  }
  const limits: Deps['limits'] = {
    factor,
    limiter: {
      take: (claim) => {
        claims.push(claim)
        const refusedBy = refusing ? ('live-values' as const) : undefined
        return { refusedBy, retryAfterMs: refusing ? 2100 : 0, limits: [] }
      },
      release: () => undefined,
    },
  }
  return { caller, deps: { limits, stores: { live, plans: plansWith() } } }
}

const problemOf = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => {
      throw new Error('It was not refused')
    },
    (error: unknown) => {
      if (error instanceof Problem) return error
      throw error
    },
  )

test('values are entries of logs and items of sections, and count against the app', async () => {
  expect(valuesOf(push)).toBe(4)
  expect(await takePush(context(), app, push, valuesOf(push))).toBe('stored')
  expect(claims).toMatchObject([{ cost: 4, buckets: [{ key: 'live-values:app_1', name: 'live-values' }] }])
})

test('however few an installation allows, the largest push fits in some day', async () => {
  await takePush(context(0.000_001), app, push, 5000)
  expect(claims[0]?.buckets[0]?.capacity).toBe(5000)
})

test('who pushes too much is told when to come again, and nothing is stored', async () => {
  refusing = true
  expect(await problemOf(takePush(context(), app, push, 4))).toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 3,
  })
  expect(done).toEqual([])
})

test('so is who comes while too many wait', async () => {
  failing = new LiveBusy()
  expect(await problemOf(takePush(context(), app, push, 4))).toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 1,
  })
})

test('an app that was deleted meanwhile is missing', async () => {
  failing = new LiveAppGone()
  expect(await problemOf(takePush(context(), app, push, 4))).toMatchObject({ code: 'live_app_not_found' })
})

test('an app that has more than is kept of it is cut down first', async () => {
  const most = 512 * 2 ** 20
  await takePush(context(), { ...app, sizeBytes: most }, push, 4)
  expect(done).toEqual(['push'])
  await takePush(context(), { ...app, sizeBytes: most * 1.1 }, push, 4)
  expect(done).toEqual(['push', `trim ${most}`, 'push'])
})
