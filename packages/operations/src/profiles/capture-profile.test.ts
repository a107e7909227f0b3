import { Problem, type Caller } from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import type { CallContext, Deps, Implementation } from '../implement.ts'
import type {
  CaptureOrder,
  Collector,
  JobQueue,
  Profile,
  ProjectWithCounts,
  Stores,
  Task,
} from '../ports/index.ts'
import { endCapture } from '../jobs/end-capture.ts'
import type { JobDeps } from '../jobs/job.ts'
import { captureProfile } from './capture-profile.ts'
import { plansWith } from '../limits/testing/plans-with.ts'
import { reportCapture } from './report-capture.ts'

// What a handler does not use is not there, and fails it.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

const collector = (name: string, captures: Collector['captures'], agoMs = 0): Collector => ({
  id: `col_${name}`,
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  name,
  version: '1',
  captures,
  mcpServers: [],
  lastSeenAt: new Date(Date.now() - agoMs),
})
const shop = {
  name: 'shop',
  kind: 'pprof' as const,
  types: ['cpu' as const, 'heap' as const],
  secondsMax: 60,
}
const jvm = { name: 'jvm', kind: 'jfr' as const, types: ['cpu' as const], secondsMax: 600 }

/** Calls a handler of a project with these collectors, and tells what was done, in order. */
async function call(
  implementation: Implementation,
  input: Record<string, unknown>,
  { collectors = [], isStarted = false }: { collectors?: Collector[]; isStarted?: boolean } = {},
) {
  const done: unknown[] = []
  const order: CaptureOrder = {
    taskId: 'tsk_1',
    workspaceId: 'ws_1',
    projectId: 'prj_1',
    collectorId: 'col_here',
    name: 'shop',
    type: 'cpu',
    seconds: null,
  }
  const task = onlyWith<Task>({ id: 'tsk_1', status: 'RUNNING', result: { capture: 'shop' } })
  const context = onlyWith<CallContext>({
    caller: onlyWith<Caller>({ roles: new Map([['ws_1', 'member']]) }),
    operation: implementation.operation,
    requestId: 'req_1',
    concerns: () => undefined,
    isUneventful: () => undefined,
    enterWorkspace: () => undefined,
    deps: onlyWith<Deps>({
      stores: onlyWith<Stores>({
        plans: plansWith(),
        projects: onlyWith<Stores['projects']>({
          find: async () => onlyWith<ProjectWithCounts>({ id: 'prj_1', workspaceId: 'ws_1' }),
        }),
        collectors: onlyWith<Stores['collectors']>({
          list: async () => collectors,
          order: async (_caller, made) => void done.push(['order', made]),
          findOrder: async () => order,
          start: async () => !isStarted,
        }),
        profiles: onlyWith<Stores['profiles']>({
          find: async (_caller, id) =>
            onlyWith<Profile>({ id, projectId: id === 'prf_1' ? 'prj_1' : 'prj_2' }),
        }),
        tasks: onlyWith<Stores['tasks']>({
          find: async () => task,
          create: async (_caller, made) => {
            done.push(['task', made.kind, made.result])
            return task
          },
          progress: async (_caller, _id, { message }) => {
            done.push(['progress', message])
            return true
          },
          finish: async (_caller, _id, outcome) => void done.push(['finish', outcome]),
        }),
      }),
      queue: onlyWith<JobQueue>({
        add: async (name, _payload, options) => void done.push(['job', name, options]),
      }),
    }),
  })
  const outcome: { value?: Record<string, unknown>; refused?: string; detail?: string } = {}
  try {
    outcome.value = await implementation.handle(implementation.operation.input.parse(input), context)
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    Object.assign(outcome, { refused: problem.code, detail: problem.message })
  }
  return { ...outcome, done }
}

const capture = (input: Record<string, unknown>, collectors: Collector[] = []) =>
  call(captureProfile, { project_id: 'prj_1', ...input }, { collectors })

describe('without a collector', () => {
  test('the answer has commands, and nothing is made', async () => {
    const { value, done } = await capture({ kind: 'jfr', target: '42' })
    expect(value).toMatchObject({
      task_id: null,
      collector: null,
      commands: [{ command: 'flamegate profile --jfr 42 --repository prj_1' }, {}],
      captures: [],
    })
    expect(done).toEqual([])
  })

  test.each([
    [{}, 'Give kind, or capture.'],
    [{ kind: 'jfr', type: 'heap' }, 'jfr takes cpu.'],
    [{ kind: 'pprof', target: 'a b; id' }, 'target is to be the address'],
  ])('%j is not valid', async (input, detail) => {
    expect(await capture(input)).toMatchObject({
      refused: 'invalid_input',
      detail: expect.stringContaining(detail),
    })
  })

  test('one that was not seen for a minute counts as none', async () => {
    const away = collector('here', [shop], 61_000)
    expect((await capture({ kind: 'pprof' }, [away])).value).toMatchObject({ task_id: null, captures: [] })
    expect(await capture({ capture: 'shop' }, [away])).toMatchObject({ refused: 'collector_not_found' })
  })
})

describe('with a collector', () => {
  const here = collector('here', [shop, jvm])

  test('what is named is ordered, after the job that ends it in any case', async () => {
    const { value, done } = await capture({ capture: 'jvm', seconds: 300 }, [here])
    expect(value).toMatchObject({ collector: 'here', task_id: expect.stringMatching(/^tsk_/), commands: [] })
    expect(done).toMatchObject([
      ['task', 'capture_profile', { collector: 'here', capture: 'jvm', type: 'cpu' }],
      ['job', 'end_capture', { delayMs: 1_200_000 }],
      ['order', { collectorId: 'col_here', name: 'jvm', type: 'cpu', seconds: 300 }],
    ])
  })

  test('the only one that fits needs no name', async () => {
    const { done } = await capture({ kind: 'pprof', type: 'heap' }, [here])
    expect(done.at(-1)).toMatchObject(['order', { name: 'shop', type: 'heap', seconds: null }])
  })

  test('whoever names a target, or leaves a choice, gets commands and what there is', async () => {
    const both = [here, collector('there', [{ ...shop, name: 'cart' }])]
    for (const input of [{ kind: 'pprof' }, { kind: 'jfr', target: '42' }]) {
      const { value, done } = await capture(input, both)
      expect(done).toEqual([])
      expect(value).toMatchObject({
        task_id: null,
        captures: [
          { name: 'shop', collector: 'here' },
          { name: 'jvm', collector: 'here' },
          { name: 'cart', collector: 'there' },
        ],
      })
    }
  })

  test.each([
    [{ capture: 'shop', type: 'mutex' }, 'shop takes cpu, heap.'],
    [{ capture: 'shop', seconds: 61 }, 'shop may take 60 s at most.'],
  ])('%j is beyond what it may', async (input, detail) => {
    expect(await capture(input, [here])).toMatchObject({ refused: 'invalid_input', detail, done: [] })
  })

  test('a name that two have is not guessed', async () => {
    expect(await capture({ capture: 'shop' }, [here, collector('there', [shop])])).toMatchObject({
      refused: 'invalid_input',
      detail: 'More than one collector may run shop: here, there.',
    })
  })
})

const report = (input: Record<string, unknown>, isStarted = false) =>
  call(reportCapture, { task_id: 'tsk_1', ...input }, { isStarted })

describe('a report', () => {
  test('of the start is believed once', async () => {
    const first = await report({ state: 'started', message: 'Taking cpu' })
    expect(first).toMatchObject({ value: { goes_on: true }, done: [['progress', 'Taking cpu']] })
    expect(await report({ state: 'started' }, true)).toMatchObject({ value: { goes_on: false }, done: [] })
  })

  test('of the end has the profile, and keeps what the task says', async () => {
    expect((await report({ state: 'done', profile_id: 'prf_1' })).done).toEqual([
      ['finish', { result: { capture: 'shop', profile_id: 'prf_1' } }],
    ])
  })

  test.each([{}, { profile_id: 'prf_of_another_project' }])(
    'of the end with %j ends nothing',
    async (input) => {
      expect(await report({ state: 'done', ...input })).toMatchObject({
        refused: 'profile_not_found',
        done: [],
      })
    },
  )

  test('of a failure is told in its words', async () => {
    expect((await report({ state: 'failed', message: 'perf is not there.' })).done).toEqual([
      ['finish', { problem: { code: 'processing_failed', detail: 'perf is not there.' } }],
    ])
    expect((await report({ state: 'stopped' })).done).toEqual([['finish', { isCancelled: true }]])
  })
})

test('a capture that no collector ended fails with what to do', async () => {
  const ended: unknown[] = []
  const tasks = onlyWith<Stores['tasks']>({
    finish: async (caller, id, outcome) => void ended.push([[...caller.roles.keys()], id, outcome]),
  })
  const job = { taskId: 'tsk_1', workspaceId: 'ws_1', requestId: 'req_1' }
  await endCapture(job, onlyWith<JobDeps>({ stores: onlyWith<Stores>({ tasks }) }))
  expect(ended).toEqual([
    [['ws_1'], 'tsk_1', { problem: { code: 'unavailable', detail: expect.stringContaining('ask again') } }],
  ])
})
