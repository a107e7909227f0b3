import { operations, Problem, type Caller } from '@flamegate/contract'
import { liveSections, type ItemsBefore, type LiveSection, type ReceivedLivePush } from '@flamegate/live'
import { expect, test } from 'vitest'
import type { CallContext } from '../implement.ts'
import type { Claim, LiveApp, LiveStore } from '../ports/index.ts'
import { plansWith } from '../limits/testing/plans-with.ts'
import { pushOtlp } from './push-otlp.ts'

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

/** A store that keeps how each session stands; what it was given is told. */
function storing() {
  const sessions = new Map<string, ItemsBefore>()
  const pushes: (ReceivedLivePush & { identity: string | undefined })[] = []
  const claims: Claim[] = []
  const live: Pick<LiveStore, 'find' | 'push' | 'trim'> = {
    find: (_caller, id) => Promise.resolve(id === app.id ? app : undefined),
    trim: () => Promise.resolve(),
    push(_caller, _app, pushed) {
      if (!('make' in pushed)) throw new TypeError('It says how it stands')
      const before = new Map(sessions.get(pushed.session))
      const at = new Date(0)
      const push = pushed.make(
        new Map([...before].map(([section, { items }]) => [section, { session: pushed.session, at, items }])),
        pushes.length - 1,
      )
      for (const section of liveSections) {
        const told = push.sections[section]
        if (told !== undefined) before.set(section, told)
      }
      sessions.set(pushed.session, before)
      pushes.push({ ...push, identity: pushed.identity })
      return Promise.resolve('stored')
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the handler does not use is not there, and fails it
  const context = {
    caller: { roles: new Map([['ws_1', 'member']]) } as Partial<Caller>,
    operation: operations.pushOtlp,
    deps: {
      stores: { live, plans: plansWith() },
      limits: {
        factor: 1,
        limiter: {
          take(claim: Claim) {
            claims.push(claim)
            return { refusedBy: undefined, retryAfterMs: 0, limits: [] }
          },
        },
      },
    },
    concerns: () => {},
    enterWorkspace: () => undefined,
    isUneventful: () => {},
  } as unknown as CallContext
  const send = (signal: 'metrics' | 'traces', request: unknown, live_app_id = app.id) =>
    pushOtlp.handle({ live_app_id, signal, request }, context)
  const item = (section: LiveSection, id: string) =>
    pushes
      .findLast(({ sections }) => sections[section] !== undefined)
      ?.sections[section]?.items.find((each) => each.id === id)
  return { send, item, pushes, claims }
}

const resource = (service: string) => ({
  attributes: [{ key: 'service.name', value: { stringValue: service } }],
})
const span = (spanId: string, name = 'pay') => ({
  traceId: 'aa',
  spanId,
  name,
  startTimeUnixNano: '1000000000',
  endTimeUnixNano: '1003000000',
})
const traces = (spans: readonly unknown[], service = 'shop') => ({
  resourceSpans: [{ resource: resource(service), scopeSpans: [{ spans }] }],
})
const orders = (temporality: number, asInt: number, timeUnixNano: string) => ({
  resourceMetrics: [
    {
      resource: resource('shop'),
      scopeMetrics: [
        {
          metrics: [
            {
              name: 'orders',
              sum: {
                isMonotonic: true,
                aggregationTemporality: temporality,
                dataPoints: [{ asInt, timeUnixNano }],
              },
            },
          ],
        },
      ],
    },
  ],
})

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

test('calls add up from one request to the next, with the number after the last one', async () => {
  const { send, item, pushes } = storing()
  await send('traces', traces([span('01'), span('02')]))
  await send('traces', traces([span('03')]))
  expect(item('functions_timing', 'pay')?.distributions?.['duration']).toMatchObject({ count: 3, total: 9e6 })
  expect(pushes.map(({ sequence }) => sequence)).toEqual([0, 1])
  expect(pushes[1]?.program).toMatchObject({ name: 'shop', source: 'otlp' })
})

test('totals stand as they are told, differences add up', async () => {
  const { send, item } = storing()
  await send('metrics', orders(2, 7, '1000000'))
  await send('metrics', orders(2, 9, '2000000'))
  expect(item('gauges', 'orders')?.counters).toMatchObject({ added: 9 })
  await send('metrics', orders(1, 5, '3000000'))
  expect(item('gauges', 'orders')?.counters).toMatchObject({ added: 14 })
})

test('the store is told which request it is, so that it counts once', async () => {
  const { send, pushes } = storing()
  await send('traces', traces([span('01')]))
  await send('traces', traces([span('01')]))
  await send('traces', traces([span('02')]))
  const [first, again, other] = pushes.map(({ identity }) => identity)
  expect(first).toBeDefined()
  expect([again === first, other === first]).toEqual([true, false])
})

test('programs are apart, and what they tell counts against the app once', async () => {
  const { send, claims } = storing()
  const both = { resourceSpans: ['shop', 'bank'].flatMap((name) => traces([span('01')], name).resourceSpans) }
  const answer = await send('traces', both)
  expect(new Set(operations.pushOtlp.output.parse(answer).sessions).size).toBe(2)
  expect(claims.map(({ cost }) => cost)).toEqual([2])
})

test('names that there is no room for are counted', async () => {
  const { send } = storing()
  const many = Array.from({ length: 2003 }, (_, index) => span(String(index), `f${index}`))
  expect(await send('traces', traces(many))).toMatchObject({ left_out: 3 })
})

test('what is no request is refused, and says where', async () => {
  const { send, pushes } = storing()
  expect(await problemOf(send('traces', traces([{ ...span('01'), name: 7 }])))).toMatchObject({
    code: 'invalid_input',
    errors: [{ field: 'request', message: expect.stringContaining('spans.0.name') }],
  })
  const many = Array.from({ length: 201 }, (_, index) => traces([span('01')], `shop ${index}`).resourceSpans)
  expect(await problemOf(send('traces', { resourceSpans: many.flat() }))).toMatchObject({
    code: 'too_large',
  })
  expect(await problemOf(send('traces', traces([span('01')]), 'app_2'))).toMatchObject({
    code: 'live_app_not_found',
  })
  expect(pushes).toEqual([])
})
