import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Problem } from '@flamegate/contract'
import { openQueue } from './open-queue.ts'
import type { OpenQueue } from './open-queue.ts'
import { hasRedis, startTestPostgres, startTestRedis } from './test-servers.ts'
import type { TestServer } from './test-servers.ts'
import type { EndedJob, JobHandlers, WorkerOptions, Workers } from './workers.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const newTask = () => ({ taskId: `tsk_${randomUUID()}`, workspaceId: 'ws_1', requestId: 'req-1' })
const hangs = () => new Promise<never>(() => {})

const canTestRedis = hasRedis()
if (!canTestRedis) {
  console.warn(
    '\n*** redis-server was not found: the queue is tested on PostgreSQL only. Install it to test both. ***\n',
  )
}

const backends = [
  { backend: 'PostgreSQL', startServer: startTestPostgres, option: 'postgresUrl' as const },
  ...(canTestRedis ? [{ backend: 'Redis', startServer: startTestRedis, option: 'redisUrl' as const }] : []),
]

describe.each(backends)('the queue on $backend', ({ startServer, option }) => {
  let server: TestServer
  let queue: OpenQueue
  const workers: Workers[] = []

  beforeAll(async () => {
    server = await startServer()
    queue = await openQueue({ [option]: server.url, log, retryDelayMs: 20 })
  })

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((some) => some.close({ deadlineMs: 0 })))
  })

  afterAll(async () => {
    await queue.close()
    await server.stop()
  })

  const nobody: JobHandlers = {
    import_results: hangs,
    import_profile: hangs,
    import_virtual_user: hangs,
    import_bench_result: hangs,
    store_project_file: hangs,
    validate_virtual_user: hangs,
    print_bench_report: hangs,
    export_workspace: hangs,
    make_result_files: hangs,
    watch_run: hangs,
    remove_export: hangs,
    end_capture: hangs,
    start_scheduled_run: hangs,
    run_bench_shard: hangs,
    end_bench_run: hangs,
  }

  function work(handlers: Partial<JobHandlers>, options: Partial<WorkerOptions> = {}): Workers {
    const started = queue.startWorkers(
      { ...nobody, ...handlers },
      // On Redis all workers together look for stalled jobs once per lock time, so all need the same.
      { concurrency: 2, lockMs: 500, onGiveUp: async () => {}, ...options },
    )
    workers.push(started)
    return started
  }

  test('a job brings the trace that it was asked for in, alone and in a flow', async () => {
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    const traced = await openQueue({ [option]: server.url, log, traceContext: () => trace })
    const seen: unknown[] = []
    work({
      import_results: async (payload) => void seen.push(payload.trace),
      run_bench_shard: async (payload) => void seen.push(payload.trace),
      end_bench_run: async (payload) => void seen.push(payload.trace),
    })
    const ofRun = () => ({ ...newTask(), benchResultId: 'bnr_1' })
    await traced.add('import_results', newTask())
    await traced.addAfter({ name: 'end_bench_run', payload: ofRun() }, [
      { name: 'run_bench_shard', payload: ofRun() },
    ])
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual([trace, trace, trace])
    await traced.close()
  })

  test('whoever counts hears of every attempt and how long it waited, and sees what waits', async () => {
    const ended: EndedJob[] = []
    const task = newTask()
    await queue.add('import_results', task)
    await expect
      .poll(async () => (await queue.look()).find(({ queue: name }) => name === 'flamegate'))
      .toMatchObject({ jobs: { waiting: 1, active: 0 }, oldestWaitingMs: expect.any(Number) })
    let attempts = 0
    work(
      {
        import_results: async () => {
          attempts += 1
          if (attempts === 1) throw new Error('The first time fails')
        },
      },
      { onEnded: (job) => ended.push(job) },
    )
    await expect
      .poll(() => ended.map(({ name, outcome }) => [name, outcome]), { timeout: 10_000 })
      .toEqual([
        ['import_results', 'will_retry'],
        ['import_results', 'completed'],
      ])
    expect(ended[0]?.waitedMs).toBeGreaterThan(0)
    expect(ended[1]?.waitedMs).toBe(0)
    expect((await queue.look())[0]).toMatchObject({ queue: 'flamegate', oldestWaitingMs: 0 })
  })

  test('a job reaches the handler of its name with its payload', async () => {
    const seen: unknown[] = []
    work({
      import_results: async (payload) => void seen.push(['results', payload]),
      import_profile: async (payload) => void seen.push(['profile', payload]),
    })
    const results = newTask()
    const profile = newTask()
    await queue.add('import_results', results)
    await queue.add('import_profile', profile)
    await expect.poll(() => seen).toHaveLength(2)
    expect(seen).toEqual(
      expect.arrayContaining([
        ['results', results],
        ['profile', profile],
      ]),
    )
  })

  test('jobs wait for a worker', async () => {
    const task = newTask()
    await queue.add('import_results', task)
    const seen: string[] = []
    work({ import_results: async ({ taskId }) => void seen.push(taskId) })
    await expect.poll(() => seen).toEqual([task.taskId])
  })

  test('the same name and task twice is one job until it has ended; then it may come again', async () => {
    const task = newTask()
    let runs = 0
    const firstMayEnd = Promise.withResolvers<void>()
    work({
      import_results: () => {
        runs += 1
        return firstMayEnd.promise
      },
    })
    await Promise.all(Array.from({ length: 5 }, () => queue.add('import_results', task)))
    await expect.poll(() => runs).toBe(1)
    await queue.add('import_results', task)
    firstMayEnd.resolve()
    await sleep(150)
    expect(runs).toBe(1)
    await queue.add('import_results', task)
    await expect.poll(() => runs).toBe(2)
  })

  test('a schedule that is due is one job however many look, and comes again after one that was given up', async () => {
    const due = { ...newTask(), scheduleId: 'sch_1' }
    const given: string[] = []
    let runs = 0
    let isBroken = true
    work(
      {
        start_scheduled_run: async () => {
          runs += 1
          if (isBroken) throw new Error('broken')
        },
      },
      { onGiveUp: async (name) => void given.push(name) },
    )
    await Promise.all(Array.from({ length: 4 }, () => queue.add('start_scheduled_run', due)))
    await expect.poll(() => given).toEqual(['start_scheduled_run'])
    expect(runs).toBe(3)
    isBroken = false
    await expect
      .poll(
        async () => {
          await queue.add('start_scheduled_run', due)
          return runs
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(3)
  })

  test('a job that waits can be taken back, and added again; one that is at work stays', async () => {
    const task = newTask()
    await queue.add('import_profile', task)
    await queue.remove('import_profile', task.taskId)
    await queue.remove('import_profile', task.taskId)
    const seen: string[] = []
    const mayEnd = Promise.withResolvers<void>()
    work({
      import_profile: async ({ taskId }) => {
        seen.push(taskId)
        await mayEnd.promise
      },
    })
    await sleep(150)
    expect(seen).toEqual([])
    await queue.add('import_profile', task)
    await expect.poll(() => seen).toEqual([task.taskId])
    await queue.remove('import_profile', task.taskId)
    mayEnd.resolve()
  })

  test('a job that comes after others comes when all of them have ended, also badly; twice is once', async () => {
    const run = { ...newTask(), benchResultId: 'bnr_1' }
    const shards = [1, 2, 3].map(() => ({ ...newTask(), benchResultId: 'bnr_1' }))
    const ended: string[] = []
    const mayEnd = Promise.withResolvers<void>()
    const flow = () =>
      queue.addAfter(
        { name: 'end_bench_run', payload: run },
        shards.map((payload) => ({ name: 'run_bench_shard', payload })),
      )
    await flow()
    await flow()
    let begun = 0
    work(
      {
        run_bench_shard: async ({ taskId }) => {
          begun += 1
          await mayEnd.promise
          ended.push(taskId)
          if (taskId === shards[1]?.taskId) throw new Problem('not_found', 'gone')
        },
        end_bench_run: async ({ taskId }) => void ended.push(taskId),
      },
      // Fewer than there are shards, which all wait at once.
      { concurrency: 1 },
    )
    await expect.poll(() => begun).toBe(3)
    expect(ended).toEqual([])
    mayEnd.resolve()
    await expect.poll(() => ended).toHaveLength(4)
    expect(ended.at(-1)).toBe(run.taskId)
    await sleep(150)
    expect(ended).toHaveLength(4)
  })

  test('with a delay it is another job, which comes later', async () => {
    const task = newTask()
    const afterMs: number[] = []
    work({ import_results: async () => void afterMs.push(performance.now() - addedAt) })
    await queue.add('import_results', task, { delayMs: 3_600_000 })
    let addedAt = performance.now()
    await queue.add('import_results', task)
    await expect.poll(() => afterMs).toHaveLength(1)
    addedAt = performance.now()
    await queue.add('import_results', newTask(), { delayMs: 1_000 })
    await expect.poll(() => afterMs).toHaveLength(2)
    expect(afterMs[1]).toBeGreaterThanOrEqual(990)
  })

  test('an infrastructure error is tried three times, with growing pauses, and then given up', async () => {
    const attempts: number[] = []
    const givenUp: unknown[] = []
    work(
      {
        import_results: async (_payload, { attempt }) => {
          attempts.push(attempt)
          throw new Error('database is away')
        },
      },
      { onGiveUp: async (name, payload, error) => void givenUp.push([name, payload.taskId, String(error)]) },
    )
    const task = newTask()
    await queue.add('import_results', task)
    await expect.poll(() => givenUp).toEqual([['import_results', task.taskId, 'Error: database is away']])
    expect(attempts).toEqual([1, 2, 3])
  })

  test.each([
    ['a connection is refused', Object.assign(new Error('away'), { code: 'ECONNREFUSED' })],
    ['the storage says so', new Problem('unavailable', 'The storage of files cannot be reached.')],
    [
      'the storage fails',
      new Error('not read', { cause: Object.assign(new Error('503'), { $fault: 'server' }) }),
    ],
  ])('what is away is waited for, longer than what fails: %s', async (_why, error) => {
    const attempts: number[] = []
    const givenUp: unknown[] = []
    work(
      {
        import_results: async (_payload, { attempt }) => {
          attempts.push(attempt)
          if (attempt < 5) throw error
        },
      },
      { onGiveUp: async (name) => void givenUp.push(name) },
    )
    await queue.add('import_results', newTask())
    await expect.poll(() => attempts).toEqual([1, 2, 3, 4, 5])
    await sleep(100)
    expect(givenUp).toEqual([])
  })

  test('an error that passes is forgotten', async () => {
    const attempts: number[] = []
    const givenUp: unknown[] = []
    work(
      {
        import_results: async (_payload, { attempt }) => {
          attempts.push(attempt)
          if (attempt < 2) throw new Error('once')
        },
      },
      { onGiveUp: async (name) => void givenUp.push(name) },
    )
    await queue.add('import_results', newTask())
    await expect.poll(() => attempts).toEqual([1, 2])
    await sleep(100)
    expect(givenUp).toEqual([])
  })

  /** A job that was given up, with nobody at work any more. */
  async function fail(task: ReturnType<typeof newTask>) {
    const worker = work({
      import_results: async () => {
        throw new Problem('not_found', `The upload of ${task.taskId} is gone.`)
      },
    })
    await queue.add('import_results', task)
    const find = async () =>
      (await queue.listFailed({ limit: 100 })).find(({ taskId }) => taskId === task.taskId)
    await expect.poll(find, { timeout: 10_000 }).toBeDefined()
    await worker.close({ deadlineMs: 1_000 })
    const failed = await find()
    if (failed === undefined) throw new Error('It has failed')
    return failed
  }

  describe('a job that was given up', () => {
    test('is told with its reason, alone and page by page, newest first', async () => {
      const [first, second] = [await fail(newTask()), await fail(newTask())]
      expect(await queue.findFailed(first.id)).toEqual(first)
      expect(first).toMatchObject({
        name: 'import_results',
        workspaceId: 'ws_1',
        requestId: 'req-1',
        reason: `The upload of ${first.taskId} is gone.`,
        attempts: 1,
      })
      const [newest, next] = await queue.listFailed({ limit: 1 })
      expect([newest?.id, next?.id]).toEqual([second.id, first.id])
      expect((await queue.listFailed({ limit: 1, after: second }))[0]).toEqual(first)
      expect(await queue.listFailed({ limit: 1, name: 'export_workspace' })).toEqual([])
      expect((await queue.listFailed({ limit: 1, name: 'import_results' }))[0]).toEqual(second)
      expect((await queue.look())[0]?.jobs['failed']).toBeGreaterThanOrEqual(2)
    })

    test('is done again, once, with all its attempts, and knows it', async () => {
      const failed = await fail(newTask())
      expect(await queue.retry(failed.id)).toBe(true)
      expect(await queue.findFailed(failed.id)).toBeUndefined()
      expect(await queue.retry(failed.id)).toBe(false)
      const seen: unknown[] = []
      work({
        import_results: async ({ taskId, isRetried }, { attempt }) =>
          void seen.push([taskId, isRetried, attempt]),
      })
      await expect.poll(() => seen).toEqual([[failed.taskId, true, 1]])
    })

    test('is taken off the list; one that waits is not, and neither is what is no job', async () => {
      const failed = await fail(newTask())
      expect(await queue.removeFailed(failed.id)).toBe(true)
      expect(await queue.removeFailed(failed.id)).toBe(false)
      await queue.add('import_results', newTask())
      const waiting = Number(failed.id.split(':')[1]) + 1
      for (const id of [
        `flamegate:${waiting}`,
        'flamegate:x y/z',
        'flamegate:failed',
        'flamegate:meta',
        'flamegate',
        ':',
        'elsewhere:1',
        'flamegate:',
      ]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, to tell which
        expect([id, await queue.findFailed(id), await queue.retry(id), await queue.removeFailed(id)]).toEqual(
          [id, undefined, false, false],
        )
      }
      const seen: string[] = []
      work({ import_results: async ({ taskId }) => void seen.push(taskId) })
      await expect.poll(() => seen).toHaveLength(1)
    })
  })

  test('a user problem is given up at once, with the problem itself', async () => {
    const problem = new Problem('unreadable_results', 'Line 3 is not JSON.')
    let runs = 0
    const givenUp: unknown[] = []
    work(
      {
        import_results: async () => {
          runs += 1
          throw problem
        },
      },
      { onGiveUp: async (_name, _payload, error) => void givenUp.push(error) },
    )
    await queue.add('import_results', newTask())
    await expect.poll(() => givenUp).toEqual([problem])
    await sleep(150)
    expect(runs).toBe(1)
  })

  test('progress is passed on, and trouble with it does not disturb the job', async () => {
    const seen: unknown[] = []
    work(
      {
        import_results: async (_payload, { reportProgress }) => {
          await reportProgress(40)
          await reportProgress(80)
          seen.push('done')
        },
      },
      {
        onProgress: async (name, _payload, percent) => {
          seen.push([name, percent])
          throw new Error('task store is away')
        },
      },
    )
    await queue.add('import_results', newTask())
    await expect.poll(() => seen).toEqual([['import_results', 40], ['import_results', 80], 'done'])
  })

  test('no more jobs than asked for run at a time', async () => {
    let now = 0
    let most = 0
    let done = 0
    work({
      import_profile: async () => {
        now += 1
        most = Math.max(most, now)
        await sleep(30)
        now -= 1
        done += 1
      },
    })
    await Promise.all(Array.from({ length: 6 }, () => queue.add('import_profile', newTask())))
    await expect.poll(() => done).toBe(6)
    expect(most).toBe(2)
  })

  test('closing waits for jobs at work and takes no new ones', async () => {
    const seen: string[] = []
    const started = work({
      import_results: async () => {
        seen.push('started')
        await sleep(200)
        seen.push('finished')
      },
    })
    await queue.add('import_results', newTask())
    await expect.poll(() => seen).toEqual(['started'])
    await started.close({ deadlineMs: 5_000 })
    expect(seen).toEqual(['started', 'finished'])
  })

  test('at the deadline a job is told to stop and handed back, and that is no failed attempt', async () => {
    const seen: string[] = []
    const leaving = work({
      import_results: (_payload, { signal }) =>
        new Promise((_resolve, reject) => {
          seen.push('started')
          signal.addEventListener('abort', () => reject(new Error('stopped')))
        }),
    })
    await queue.add('import_results', newTask())
    await expect.poll(() => seen).toEqual(['started'])
    await leaving.close({ deadlineMs: 50 })
    work({ import_results: async (_payload, { attempt }) => void seen.push(`attempt ${attempt} elsewhere`) })
    await expect.poll(() => seen).toEqual(['started', 'attempt 1 elsewhere'])
  })

  test('who is leaving begins no job, and hands back what comes at that moment', async () => {
    const seen: string[] = []
    const begin = (who: string) => ({ import_results: async () => void seen.push(who) })
    for (let round = 0; round < 20; round++) {
      const leaving = work(begin('leaving'))
      // Until it waits for jobs.
      await queue.add('import_results', newTask())
      await expect.poll(() => seen).toEqual(['leaving'])
      const added = queue.add('import_results', newTask())
      await leaving.close({ deadlineMs: 5_000 })
      await added
      const staying = work(begin('staying'))
      await expect.poll(() => seen).toEqual(['leaving', 'staying'])
      await staying.close({ deadlineMs: 5_000 })
      seen.length = 0
    }
  })

  test('a job whose worker was killed is taken over by another one', async () => {
    const task = newTask()
    await queue.add('import_profile', task)
    const script = `
      import { openQueue } from ${JSON.stringify(import.meta.resolve('./open-queue.ts'))}
      const log = { info() {}, warn() {}, error() {} }
      const queue = await openQueue({ ${option}: ${JSON.stringify(server.url)}, log })
      const hang = (payload) => { console.log(payload.taskId); return new Promise(() => {}) }
      queue.startWorkers({ import_results: hang, import_profile: hang }, { concurrency: 1, lockMs: 500 })
      setInterval(() => {}, 1000)
    `
    const victim = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void victim.kill('SIGKILL'))
    const taken = await new Promise<string>((resolve) => {
      victim.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    })
    expect(taken).toBe(task.taskId)
    victim.kill('SIGKILL')
    const seen: string[] = []
    work({ import_profile: async ({ taskId }) => void seen.push(taskId) })
    await expect.poll(() => seen).toEqual([task.taskId])
  })

  test('check() passes while the server is there', async () => {
    await expect(queue.check()).resolves.toBeUndefined()
  })
})

test('opening a queue that is not there fails soon', async () => {
  const warnings: unknown[] = []
  const heard = { ...log, warn: (...said: unknown[]) => void warnings.push(said) }
  await expect(
    openQueue({ postgresUrl: 'postgresql://x:hush@127.0.0.1:1/x', log: heard }),
  ).rejects.toMatchObject({
    isForOperator: true,
    message:
      'A setting is not right:\n  FLAMEGATE_DATABASE_QUEUE_URL: PostgreSQL could not be asked (connect ECONNREFUSED 127.0.0.1:1). Start it, or set this to where it is.',
  })
  await expect(openQueue({ redisUrl: 'redis://:hush@127.0.0.1:1', log: heard })).rejects.toMatchObject({
    isForOperator: true,
    message:
      'A setting is not right:\n  REDIS_URL: Redis could not be asked (connect ECONNREFUSED 127.0.0.1:1). Start it, or set this to where it is.',
  })
  // Whoever opens it is told once, and not by the log for each attempt.
  expect(warnings).toEqual([])
  await expect(openQueue({ log })).rejects.toThrow('Set REDIS_URL, or FLAMEGATE_DATABASE_QUEUE_URL')
})
