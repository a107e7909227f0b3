import {
  answerQuestion,
  encodeTick,
  generatorGauges,
  planQuestion,
  profileCounters,
  SecondRecord,
} from '@flamegate/series'
import type { Reading } from '../../implement.ts'
import type { BenchPlan, BenchResult, BenchRunStore, SeriesStore } from '../../ports/index.ts'

/** When runs of tests begin. */
export const startedAt = new Date('2026-11-22T10:00:00.000Z')

export function secondsAfterStart(seconds: number): Date {
  return new Date(startedAt.getTime() + seconds * 1000)
}

/** Requests of an action that ended in one second. */
export interface MadeRequests {
  second: number
  count: number
  action?: number
  waitMs?: number
}

export interface MeasuredRun {
  run: BenchResult
  plan: BenchPlan
  requests: readonly MadeRequests[]
}

/** A run that was ordered at `startedAt`, as far as nothing else is said. */
export function benchRun(rest: Partial<BenchResult> = {}): BenchResult {
  return {
    id: 'bnr_1',
    workspaceId: 'ws_1',
    projectId: 'prj_1',
    scenarioId: null,
    scenarioVersion: null,
    name: 'Checkout',
    state: 'PENDING',
    message: '',
    durationMs: 10_000,
    events: [],
    sharesVersion: 0,
    isDegraded: false,
    stopAskedAt: null,
    taskId: 'tsk_1',
    benchReportId: null,
    importedFrom: null,
    tags: [],
    isBaseline: false,
    usersMax: 1,
    agentWaitMs: 60_000,
    createdBy: 'usr_1',
    createdAt: startedAt,
    startedAt: null,
    endedAt: null,
    ...rest,
  }
}

/** A run of ten seconds that has ended by then, of one request, as far as nothing else is said. */
export function measuredRun(
  run: Partial<BenchResult>,
  requests: readonly MadeRequests[],
  plan: Partial<BenchPlan> = {},
): MeasuredRun {
  return {
    run: benchRun({ startedAt, endedAt: secondsAfterStart(10), state: 'FINISHED', ...run }),
    plan: {
      scenario: { name: 'Checkout', profiles: [] },
      virtual_users: [],
      servers: [],
      variables: [],
      actions: [namedAction('GET /')],
      ...plan,
    },
    requests,
  }
}

export function namedAction(name: string): BenchPlan['actions'][number] {
  return { profile: 0, action_id: `act_${name}`, type: 'http_request', name, path: [] }
}

/** What stores say when there are these runs, and no others. */
export function readingOf(measured: readonly MeasuredRun[]): Reading {
  const found = (id: string) => measured.find(({ run }) => run.id === id)
  const benchRuns: Partial<BenchRunStore> = {
    find: async (_caller, id) => found(id)?.run,
    findPlan: async (_caller, id) => found(id)?.plan,
    list: async () => measured.map(({ run }) => run).toReversed(),
  }
  const series: Partial<SeriesStore> = {
    query: async (_caller, id, question) => {
      const live = ticksOf(found(id)?.requests ?? [])
      const plan = planQuestion(question, { rolledTo: 0, hoursTo: 0 })
      return answerQuestion(question, plan, { chunks: [], live, run: { containers: new Set() } })
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is not used is not there, and fails the test
  return { caller: {}, deps: { stores: { benchRuns, series } } } as unknown as Reading
}

function ticksOf(requests: readonly MadeRequests[]) {
  return [...Map.groupBy(requests, ({ second }) => second)].map(([second, made]) => ({
    agent: 0,
    second,
    bytes: encodeTick({
      second,
      actions: made.map(({ action = 0, count, waitMs = 10 }) => recordOf(count, waitMs).toTick(action)),
      profiles: [new Float64Array(profileCounters.length)],
      generator: new Float64Array(generatorGauges.length),
    }),
  }))
}

function recordOf(count: number, waitMs: number): SecondRecord {
  const record = new SecondRecord()
  for (let made = 0; made < count; made++)
    record.add({
      elapsedMs: waitMs,
      dnsMs: 0,
      connectMs: 0,
      tlsMs: 0,
      waitMs,
      downloadMs: 0,
      sentBytes: 100,
      receivedBytes: 1000,
      status: 200,
      failure: null,
    })
  return record
}
