import type { AlertReading, Unjudged } from '@flamegate/live'
import { expect, test } from 'vitest'
import type { AlertThresholds, LiveAlertType, LiveApp } from '../ports/index.ts'
import { judgedOf } from './judge-live-apps.ts'

const now = new Date('2026-11-28T10:00:00Z')
const app: LiveApp = {
  id: 'app_01',
  workspaceId: 'ws_01',
  projectId: 'prj_01',
  name: 'shop',
  createdAt: now,
  lastPushAt: now,
  endedAt: null,
  sizeBytes: 0,
}
const thresholds: AlertThresholds = {
  high_cpu: { percent: 80, for_seconds: 0 },
  high_memory: null,
  slow_response: { ms: 100, statistic: 'p99', functions: 'any', for_seconds: 10 },
  high_error_rate: null,
}
const plain = { app, isOff: false, lasting: [], streaks: {} }
const lasting = [{ id: 'lal_01', type: 'high_cpu' as const }]

const reading = (change: Partial<AlertReading>): AlertReading => ({
  value: 0,
  limit: 80,
  unit: 'percent',
  of: '',
  from: new Date(now.getTime() - 30_000),
  to: now,
  ...change,
})
const told = (type: LiveAlertType, what: AlertReading | Unjudged) => new Map([[type, what]])

test('what is beyond a limit for long enough opens an alert that says what, how much and since when', () => {
  const slow = reading({ value: 250e6, limit: 100e6, unit: 'ns', of: 'GET /cart' })
  expect(judgedOf(plain, thresholds, told('slow_response', slow), now)).toEqual({
    streaks: { slow_response: { side: 'over', sinceMs: now.getTime() - 30_000, toMs: now.getTime() } },
    opened: [
      {
        type: 'slow_response',
        subject: 'GET /cart',
        unit: 'ns',
        value: 250e6,
        crossedLimit: 100e6,
        forSeconds: 10,
        reason: 'p99 of GET /cart is 250 ms, above 100 ms for 10 s.',
        since: slow.from,
      },
    ],
    closed: [],
  })
})

test('what is calm again ends it', () => {
  const { closed } = judgedOf(
    { ...plain, lasting },
    thresholds,
    told('high_cpu', reading({ value: 10 })),
    now,
  )
  expect(closed).toEqual([
    { id: 'lal_01', until: new Date(now.getTime() - 30_000), reason: '10 % is well below 80 % again.' },
  ])
})

test('what the program does not tell opens nothing and ends nothing', () => {
  const unknown = told('high_cpu', { unjudged: 'Nobody tells.' })
  const streaks = { high_cpu: { side: 'over' as const, sinceMs: 1, toMs: 2 } }
  expect(judgedOf({ ...plain, lasting, streaks }, thresholds, unknown, now)).toEqual({
    streaks,
    opened: [],
    closed: [],
  })
})

test.each([
  ['the app ends', { app: { ...app, endedAt: now } }, thresholds, 'The app has ended.'],
  ['its threshold is taken away', {}, { ...thresholds, high_cpu: null }, 'Its threshold is off.'],
  ['alerts of the project are switched off', { isOff: true }, thresholds, 'Its threshold is off.'],
])('an alert is over when %s', (_what, change, current, reason) => {
  const busy = told('high_cpu', reading({ value: 100 }))
  expect(judgedOf({ ...plain, lasting, ...change }, current, busy, now)).toEqual({
    streaks: {},
    opened: [],
    closed: [{ id: 'lal_01', until: now, reason }],
  })
})
