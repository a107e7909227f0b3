import {
  operations,
  Problem,
  type LimitName,
  type LimitState,
  type Operation,
  type Principal,
  type Role,
} from '@flamegate/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createArgumentsDigest } from './audit/arguments-digest.ts'
import { createExecute, type CallOrigin } from './execute.ts'
import { plansWith } from './limits/testing/plans-with.ts'
import type { Deps } from './implement.ts'
import { implementations } from './implementations.ts'
import {
  DatabaseInterrupted,
  DatabaseUnavailable,
  NotRecorded,
  OwnerGone,
  type AuditEvent,
  type CaptureOrder,
  type Claim,
  type Collector,
  type RateLimiter,
  type Stores,
  type Task,
} from './ports/index.ts'

/** An object with these members; any other is a bug of the test. */
function onlyWith<T extends object>(members: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stand-in for what the test does not use
  return members as T
}

/** Grants what is asked for, but for claims that meet one of these limits; answers at once or, as Redis does, later. */
class FakeLimiter implements RateLimiter {
  readonly claims: Claim[] = []
  readonly released: Claim[] = []
  wasToldBefore = false
  readonly #reached: readonly LimitName[]
  readonly #answersLater: boolean
  constructor(reached: readonly LimitName[] = [], answersLater = false) {
    this.#reached = reached
    this.#answersLater = answersLater
  }

  take(claim: Claim) {
    this.claims.push(claim)
    const limits = [...claim.buckets, ...claim.slots].map(({ name }) => stateOf(name))
    const refusedBy = limits.map(({ name }) => name).find((name) => this.#reached.includes(name))
    const verdict = {
      refusedBy,
      retryAfterMs: refusedBy === undefined ? 0 : 2400,
      limits,
      wasToldBefore: this.wasToldBefore,
    }
    return this.#answersLater ? Promise.resolve(verdict) : verdict
  }

  release(claim: Claim): void {
    this.released.push(claim)
  }
}

const stateOf = (name: LimitName): LimitState => ({
  name,
  quota: 600,
  windowSeconds: 12,
  remaining: 5,
  moreInSeconds: 1,
  fullInSeconds: 12,
})

interface Given {
  limiter?: RateLimiter
  audit?: Partial<Stores['audit']>
  collectors?: Partial<Stores['collectors']>
  tasks?: Partial<Stores['tasks']>
  workspaces?: Partial<Stores['workspaces']>
  role?: Role
}

const workspace = {
  id: 'ws_1',
  slug: 'a',
  name: 'A',
  plan: 'free',
  createdAt: new Date(0),
  deletesAt: null,
}

function opened({
  limiter,
  audit,
  collectors = {},
  tasks = {},
  workspaces = {},
  role = 'viewer',
}: Given = {}) {
  const events: AuditEvent[] = []
  const done: string[] = []
  const deps = onlyWith<Deps>({
    stores: onlyWith<Stores>({
      memberships: { rolesOf: async () => new Map([['ws_1', role]]) },
      audit: {
        isFull: () => false,
        record: async (event) => void events.push(event),
        search: async () => [],
        ...audit,
      },
      collectors: onlyWith<Stores['collectors']>(collectors),
      tasks: onlyWith<Stores['tasks']>(tasks),
      plans: plansWith(),
      usage: onlyWith<Stores['usage']>({
        listDays: async () => [],
        countAgentSeconds: async () => ({ usedSeconds: 1, promisedSeconds: 1 }),
      }),
      live: onlyWith<Stores['live']>({ countBytes: async () => ({ apps: 1, recordings: 1 }) }),
      mcp: onlyWith<Stores['mcp']>({ countBytes: async () => 1 }),
      series: onlyWith<Stores['series']>({ countBytes: async () => 1 }),
      resultFiles: onlyWith<Stores['resultFiles']>({ countBytes: async () => 1 }),
      workspaces: onlyWith<Stores['workspaces']>({
        find: async (_caller, id) => (id === 'ws_1' ? workspace : undefined),
        usage: async () => {
          done.push('usage')
          return { projects: 1, runs: 1, results: 1, profiles: 1, storageBytes: 1, members: 1 }
        },
        ...workspaces,
      }),
    }),
    limits: limiter === undefined ? undefined : { limiter, factor: 1 },
    auditKey: 'key',
    guides: [],
    publicUrl: 'https://flamegate.example',
  })
  const execute = createExecute(implementations, deps)
  const call = (operation: Operation, input: unknown, change: Partial<CallOrigin> = {}) =>
    execute(operation, input, {
      principal: {
        userId: 'usr_1',
        via: 'oauth',
        clientId: 'claude',
        clientName: 'Claude',
        scopes: ['read', 'write'],
      },
      requestId: 'req_1',
      ip: '127.0.0.1',
      ...change,
    })
  const refusalOf = (operation: Operation, input: unknown): Promise<Problem> =>
    call(operation, input).then(
      () => {
        throw new Error('It was answered')
      },
      (error: unknown) => {
        if (error instanceof Problem) return error
        throw error
      },
    )
  return { call, refusalOf, events, done }
}

const usage = operations.getUsage
const ofWorkspace = { workspace_id: 'ws_1' }
const keysOf = (claims: readonly Claim[]) =>
  claims.map(({ buckets, slots }) => [...buckets, ...slots].map(({ key }) => key))

describe.each([
  ['at once', false],
  ['later', true],
])('with a limiter that answers %s', (_when, answersLater) => {
  test('a call counts for the person, the client and the tool first, then for the workspace it turns out to be about', async () => {
    const limiter = new FakeLimiter([], answersLater)
    await opened({ limiter })
      .call(operations.listProjects, ofWorkspace)
      .catch(() => undefined)
    expect(keysOf(limiter.claims)).toEqual([
      ['user:usr_1', 'client:usr_1:claude', 'tool:usr_1:list_projects', 'client-concurrency:usr_1:claude'],
      ['workspace:ws_1', 'workspace-concurrency:ws_1'],
    ])
    expect(limiter.released).toEqual(limiter.claims)
  })

  test('what is over a limit is refused before its input is looked at, and says what to do', async () => {
    const limiter = new FakeLimiter(['client'], answersLater)
    const { refusalOf, events } = opened({ limiter })
    const refusal = await refusalOf(usage, 'no input at all')
    expect(refusal).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 3 })
    expect(refusal.message).toBe(
      'The limit "client" is reached: the calls through this client, 3000 a minute, 600 at most in a row ' +
        '(a write counts as 2). Nothing was done. Retry in 3 seconds. Keep answers instead of asking again, and ask ' +
        'for more per call (limit, filters).',
    )
    expect(refusal.hint).toMatchObject({ operation: 'get_usage', text: 'shows all limits' })
    expect(refusal.limits?.map(({ name }) => name)).toContain('client')
    expect(events).toMatchObject([{ decision: 'refused', outcome: 'rate_limited', status: 429 }])
  })

  test.each(['workspace', 'workspace-concurrency'] as const)(
    'a workspace over its limit %s is left alone',
    async (name) => {
      const limiter = new FakeLimiter([name], answersLater)
      const { refusalOf, done } = opened({ limiter })
      expect(await refusalOf(usage, ofWorkspace)).toMatchObject({ code: 'rate_limited' })
      expect(done).toEqual([])
      // The slot of the client comes free; the one that was refused was never taken.
      expect(limiter.released).toEqual(limiter.claims.slice(0, 1))
    },
  )
})

test('what somebody is told again before they waited is in the audit log once', async () => {
  const limiter = new FakeLimiter(['client'])
  const { refusalOf, events } = opened({ limiter })
  await refusalOf(usage, ofWorkspace)
  limiter.wasToldBefore = true
  const again = await refusalOf(usage, ofWorkspace)
  expect(again).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3, callerLimit: 'client' })
  expect(events).toHaveLength(1)
})

const principalOf = (userId: string, more: Partial<Principal> = {}): Principal => ({
  userId,
  via: 'oauth',
  clientId: 'claude',
  clientName: 'Claude',
  scopes: ['read', 'write'],
  ...more,
})

/** With a workspace that is found when it is said. */
function held() {
  const begun: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const at = opened({
    workspaces: {
      async find({ principal }) {
        begun.push(principal.userId)
        await promise
        return workspace
      },
    },
  })
  const start = (principal: Principal, signal?: AbortSignal) => {
    const call = at.call(usage, ofWorkspace, { principal, signal })
    call.catch(() => undefined)
    return call
  }
  return { ...at, begun, start, settle: () => vi.advanceTimersByTimeAsync(0), find: resolve }
}

describe('with many calls of one tenant at work', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('another tenant is served before what that one has waiting', async () => {
    const { start, begun, settle, find } = held()
    const noisy = Array.from({ length: 20 }, () => start(principalOf('usr_noisy')))
    await settle()
    const isBegunAll = begun.length === noisy.length
    const quiet = start(principalOf('usr_quiet'))
    await settle()
    expect([isBegunAll, begun.at(-1)]).toEqual([false, 'usr_quiet'])
    find()
    await Promise.all([...noisy, quiet])
    expect(begun).toHaveLength(21)
  })

  test('people with tokens of one workspace are one tenant', async () => {
    const { start, begun, settle, find } = held()
    const workspaceIds = ['ws_1']
    const calls = Array.from({ length: 20 }, () => start(principalOf('usr_1', { workspaceIds })))
    await settle()
    calls.push(start(principalOf('usr_2', { workspaceIds })))
    await settle()
    expect(begun).not.toContain('usr_2')
    find()
    await Promise.all(calls)
    expect(begun).toContain('usr_2')
  })

  test('a call whose client hung up while it waited is not begun', async () => {
    const { start, begun, settle, find, events } = held()
    const calls = Array.from({ length: 20 }, () => start(principalOf('usr_1')))
    const hungUp = new AbortController()
    const last = start(principalOf('usr_1'), hungUp.signal)
    await settle()
    hungUp.abort()
    await expect(last).rejects.toMatchObject({ code: 'cancelled' })
    find()
    await Promise.all(calls)
    expect([begun.length, events.filter(({ outcome }) => outcome === 'cancelled').length]).toEqual([20, 1])
  })

  test('only so many wait: the next is told when to come again, and nothing was done', async () => {
    const { start, begun, settle, find } = held()
    const calls = Array.from({ length: 205 }, () => start(principalOf('usr_1')))
    await settle()
    await expect(start(principalOf('usr_1'))).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 1,
      callerLimit: undefined,
    })
    find()
    await Promise.all(calls)
    expect(begun).toHaveLength(205)
  })

  test('a call whose turn does not come for 20 seconds is refused as unavailable, and that is recorded', async () => {
    const { start, begun, settle, find, events } = held()
    // Each keeps its place for five seconds: five calls begin at once, and five more each time.
    const calls = Array.from({ length: 30 }, () => start(principalOf('usr_1')))
    const told = calls.map((call) => call.then(undefined, (error: unknown) => error))
    await settle()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(begun).toHaveLength(20)
    expect(await told.at(-1)).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 5 })
    expect(events.map(({ outcome, status }) => [outcome, status])).toEqual(
      Array.from({ length: 10 }, () => ['unavailable', 503]),
    )
    find()
    await Promise.all(told)
    expect(begun).toHaveLength(20)
    expect(events.filter(({ outcome }) => outcome === 'ok')).toHaveLength(20)
  })

  test('what waits for news takes no turn from others', async () => {
    const { start, call, begun, settle, find, events } = held()
    const calls = Array.from({ length: 20 }, () => start(principalOf('usr_1')))
    await settle()
    await call(operations.getBenchResult, { bench_result_id: 'x' }).catch(() => undefined)
    expect(events).toHaveLength(1)
    find()
    await Promise.all(calls)
    expect(begun).toHaveLength(20)
  })
})

test('finding one’s way costs a tenth of a read, and a write costs two', async () => {
  const limiter = new FakeLimiter()
  const { call } = opened({ limiter })
  const costOf = async (operation: Operation) => {
    limiter.claims.length = 0
    await call(operation, {}).catch(() => undefined)
    return limiter.claims[0]?.cost
  }
  expect(await costOf(operations.findTools)).toBe(0.1)
  expect(await costOf(operations.getCurrentUser)).toBe(0.1)
  expect(await costOf(operations.getUsage)).toBe(0.1)
  expect(await costOf(operations.listRuns)).toBe(1)
  expect(await costOf(operations.createProject)).toBe(2)
  expect(await costOf(operations.deleteProject)).toBe(2)
})

test('where the database gives no connection, it is told when to try again, and why in the log only', async () => {
  const cause = new Error('connect ECONNREFUSED')
  const find = () => Promise.reject(new DatabaseUnavailable('No connection', { cause }))
  const refusal = await opened({ workspaces: { find } }).refusalOf(usage, ofWorkspace)
  expect(refusal).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 2, cause })
  expect(refusal.message).not.toContain('ECONNREFUSED')
})

test('where the database goes away or is full meanwhile, nobody knows whether it was done, and it is no defect', async () => {
  const cause = new Error('could not extend file: No space left on device')
  const find = () => Promise.reject(new DatabaseInterrupted('It broke off', { cause }))
  const refusal = await opened({ workspaces: { find } }).refusalOf(usage, ofWorkspace)
  expect(refusal).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 2, cause })
  expect(refusal.message).toContain('Look whether it was done')
})

test('where what it belongs to was deleted meanwhile, nothing is there', async () => {
  const error = new OwnerGone()
  const find = () => Promise.reject(error)
  const refusal = await opened({ workspaces: { find } }).refusalOf(usage, ofWorkspace)
  expect(refusal).toMatchObject({ code: 'not_found', status: 404 })
})

test('another workspace’s limits cannot be used up by naming it', async () => {
  const limiter = new FakeLimiter()
  const refusal = await opened({ limiter }).refusalOf(usage, { workspace_id: 'ws_2' })
  expect(refusal.code).toBe('workspace_not_found')
  expect(keysOf(limiter.claims).flat().join()).not.toContain('ws_2')
})

test('a tool that is called by call_tool counts as that tool, once', async () => {
  const limiter = new FakeLimiter()
  await opened({ limiter }).call(operations.callTool, { name: 'get_usage', arguments: ofWorkspace })
  expect(
    keysOf(limiter.claims)
      .flat()
      .filter((key) => key.startsWith('tool:')),
  ).toEqual(['tool:usr_1:get_usage'])
})

test('get_usage shows the limits, and the edge is told of them', async () => {
  const limiter = new FakeLimiter()
  const noted: string[] = []
  const answer = await opened({ limiter }).call(usage, ofWorkspace, {
    noteLimits: (states) => void noted.push(...states.map(({ name }) => name)),
  })
  expect(answer['limits']).toMatchObject({
    calls_per_minute: 3000,
    calls: [
      { name: 'workspace', quota: 600, remaining: 5, resets_in_seconds: 12, refills_per_minute: 12_000 },
      { name: 'user', refills_per_minute: 6000 },
      { name: 'client', refills_per_minute: 3000 },
      { name: 'client-concurrency', refills_per_minute: null },
      { name: 'workspace-concurrency' },
    ],
  })
  expect(noted).toEqual([
    'user',
    'client',
    'tool',
    'client-concurrency',
    'workspace',
    'workspace-concurrency',
  ])
})

test('without limits nothing is counted, and get_usage says so', async () => {
  const answer = await opened().call(usage, ofWorkspace)
  expect(answer['limits']).toMatchObject({ calls_per_minute: null, calls: [] })
})

describe('the audit log', () => {
  test('has every call: who, what, with which arguments, how it ended, how long and how large', async () => {
    const { call, events } = opened()
    const answer = await call(usage, ofWorkspace, { traceId: 'trace' })
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        workspaceId: 'ws_1',
        userId: 'usr_1',
        via: 'oauth',
        clientId: 'claude',
        clientName: 'Claude',
        operation: 'get_usage',
        effect: 'read',
        target: 'ws_1',
        argumentsDigest: createArgumentsDigest('key')('ws_1', ofWorkspace),
        decision: 'allowed',
        outcome: 'ok',
        status: 200,
        durationMs: expect.any(Number),
        answerBytes: JSON.stringify(answer).length,
        requestId: 'req_1',
        traceId: 'trace',
        ip: '127.0.0.1',
        userAgent: null,
        at: expect.any(Date),
      },
    ])
  })

  test.each([
    ['a missing scope', operations.searchAuditLog, ofWorkspace, 'refused', 'insufficient_scope'],
    [
      'a weak role',
      operations.createProject,
      { ...ofWorkspace, name: 'New' },
      'refused',
      'insufficient_role',
    ],
    ['wrong input', usage, {}, 'allowed', 'invalid_input'],
    ['a missing thing', usage, { workspace_id: 'ws_2' }, 'allowed', 'workspace_not_found'],
  ])('says of %s whether it was let through', async (_what, operation, input, decision, outcome) => {
    const { refusalOf, events } = opened()
    await refusalOf(operation, input)
    expect(events).toMatchObject([{ decision, outcome, answerBytes: 0 }])
  })

  test('has no polls that brought nothing, and has those that brought something or were refused', async () => {
    const collector = onlyWith<Collector>({
      id: 'col_1',
      workspaceId: 'ws_1',
      projectId: 'prj_1',
      mcpServers: [],
    })
    const order = onlyWith<CaptureOrder>({ taskId: 'tsk_1', name: 'shop', type: 'cpu', seconds: null })
    const orders = [undefined, order]
    const { call, refusalOf, events } = opened({
      role: 'member',
      collectors: {
        find: async (_caller, id) => (id === 'col_1' ? collector : undefined),
        nextOrder: async () => orders.shift(),
      },
    })
    const poll = { collector_id: 'col_1', wait_seconds: 0 }
    expect(await call(operations.awaitCapture, poll)).toMatchObject({ capture: null })
    expect(events).toEqual([])
    expect(await call(operations.awaitCapture, poll)).toMatchObject({ capture: { task_id: 'tsk_1' } })
    await refusalOf(operations.awaitCapture, { ...poll, collector_id: 'col_2' })
    expect(events).toMatchObject([
      { operation: 'await_capture', outcome: 'ok' },
      { operation: 'await_capture', outcome: 'collector_not_found' },
    ])
  })

  test('has that a capture started and how it ended, not every report that it goes on', async () => {
    const order = onlyWith<CaptureOrder>({ taskId: 'tsk_1', workspaceId: 'ws_1', projectId: 'prj_1' })
    const { call, events } = opened({
      role: 'member',
      collectors: { findOrder: async () => order, start: async () => true },
      tasks: {
        find: async () => onlyWith<Task>({ id: 'tsk_1', status: 'RUNNING' }),
        progress: async () => true,
        finish: async () => undefined,
      },
    })
    const recorded: number[] = []
    for (const state of ['started', 'going_on', 'stopped']) {
      // oxlint-disable-next-line no-await-in-loop -- one report after the other
      await call(operations.reportCapture, { task_id: 'tsk_1', state })
      recorded.push(events.length)
    }
    expect(recorded).toEqual([1, 1, 2])
  })

  test('has the report that a capture goes on if it was the one that started it', async () => {
    const order = onlyWith<CaptureOrder>({ taskId: 'tsk_1', workspaceId: 'ws_1', projectId: 'prj_1' })
    let status: Task['status'] = 'PENDING'
    const { call, events } = opened({
      role: 'member',
      collectors: { findOrder: async () => order },
      tasks: {
        find: async () => onlyWith<Task>({ id: 'tsk_1', status }),
        progress: async () => {
          status = 'RUNNING'
          return true
        },
      },
    })
    const report = { task_id: 'tsk_1', state: 'going_on', message: 'a'.repeat(2000) }
    expect(await call(operations.reportCapture, report)).toMatchObject({ status: 'RUNNING' })
    await call(operations.reportCapture, report)
    expect(events).toMatchObject([{ operation: 'report_capture', target: 'tsk_1', outcome: 'ok' }])
  })

  test('of a workspace has what a credential for nothing else was refused', async () => {
    const { call, events } = opened()
    const principal = {
      userId: 'usr_1',
      via: 'api_token',
      clientId: 'tok_1',
      clientName: 'CI',
      scopes: ['read'],
      workspaceIds: ['ws_1'],
    } as const
    await expect(call(operations.deleteProject, {}, { principal })).rejects.toThrow('scope')
    expect(events).toMatchObject([{ workspaceId: 'ws_1', outcome: 'insufficient_scope' }])
  })

  test('has one event of what call_tool calls, and one of call_tool where it calls nothing', async () => {
    const { call, refusalOf, events } = opened()
    await call(operations.callTool, { name: usage.id, arguments: ofWorkspace })
    expect(events).toMatchObject([{ operation: 'get_usage', via: 'call_tool', clientId: 'claude' }])
    await refusalOf(operations.callTool, { name: 'get_usages' })
    expect(events.slice(1)).toMatchObject([
      { operation: 'call_tool', via: 'oauth', outcome: 'tool_not_found' },
    ])
  })

  const member = { ...ofWorkspace, email: 'eve@example.com', role: 'none' as const }
  const principal = {
    userId: 'usr_1',
    via: 'oauth',
    clientId: 'claude',
    clientName: 'Claude',
    scopes: ['admin'],
  } as const

  test.each([
    ['required', 'confirmation_required', 428],
    ['declined', 'refused', 403],
    ['mismatch', 'refused', 400],
  ] as const)(
    'says of what it is about that its confirmation was %s, and it is not done',
    async (confirmation, decision, status) => {
      const { call, events, done } = opened({ role: 'admin' })
      const outcome = `confirmation_${confirmation}`
      await expect(
        call(operations.setWorkspaceMember, member, { principal, confirmation }),
      ).rejects.toMatchObject({
        code: outcome,
      })
      expect(events).toMatchObject([{ workspaceId: 'ws_1', target: 'ws_1', decision, outcome, status }])
      expect(done).toEqual([])
    },
  )

  test('asks to confirm whatever words the input has, also such as objects are born with', async () => {
    const { call } = opened({ role: 'admin' })
    const input = { client_id: 'constructor', blocked: true, reason: 'valueOf' }
    await expect(
      call(operations.blockOauthClient, input, { principal, confirmation: 'required' }),
    ).rejects.toMatchObject({ code: 'confirmation_required' })
  })

  test('says that a call was confirmed, or refused all the same', async () => {
    const { call, events } = opened()
    await call(usage, ofWorkspace, { confirmation: 'given' })
    await call(operations.createProject, { ...ofWorkspace, name: 'New' }, { confirmation: 'given' }).catch(
      () => undefined,
    )
    expect(events).toMatchObject([{ decision: 'confirmed' }, { decision: 'refused' }])
  })

  test('a role that does not allow it is refused before anybody is asked to confirm', async () => {
    const { call } = opened()
    await expect(
      call(operations.setWorkspaceMember, member, { principal, confirmation: 'required' }),
    ).rejects.toMatchObject({ code: 'insufficient_role' })
  })

  test('has what nobody waited for, which is not begun', async () => {
    const { call, events, done } = opened()
    const hungUp = call(usage, ofWorkspace, { signal: AbortSignal.abort() })
    await expect(hungUp).rejects.toMatchObject({ code: 'cancelled', status: 499 })
    expect(events).toMatchObject([{ decision: 'allowed', outcome: 'cancelled', status: 499 }])
    expect(done).toEqual([])
  })

  test('that is full stops calls before they begin', async () => {
    const { refusalOf, events, done } = opened({ audit: { isFull: () => true } })
    expect(await refusalOf(usage, ofWorkspace)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
    expect([...events, ...done]).toEqual([])
  })

  test('that did not take an event in time withholds the answer, and says what happened', async () => {
    const { refusalOf } = opened({ audit: { record: () => Promise.reject(new NotRecorded()) } })
    const refusal = await refusalOf(usage, ofWorkspace)
    expect(refusal).toMatchObject({
      code: 'unavailable',
      message: 'get_usage ended (ok), but that could not be recorded yet. Look before you try again.',
    })
  })
})
