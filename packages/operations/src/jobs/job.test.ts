import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { Problem } from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import { mayComeBack } from '../ports/index.ts'
import type { FileRecord, Run, Stores, Task } from '../ports/index.ts'
import { importProfile } from './import-profile.ts'
import { importResults } from './import-results.ts'
import type { JobDeps } from './job.ts'

// What a handler does not use is not there, and fails it.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

/** An import of a file, of which somebody asks to stop after so many steps. */
function opened(
  content: string,
  stepsLeft: number,
  { status = 'PENDING', notUploadedForMs }: { status?: Task['status']; notUploadedForMs?: number } = {},
) {
  const done: string[] = []
  let left = stepsLeft
  const task = onlyWith<Task>({
    id: 'tsk_1',
    kind: 'import_results',
    status,
    result: { file_id: 'fil_1', run_id: 'run_1', profile_id: 'prf_1' },
  })
  const note = (what: string) => async () => void done.push(what)
  const deps = onlyWith<JobDeps>({
    stores: onlyWith<Stores>({
      tasks: onlyWith<Stores['tasks']>({
        find: async () => task,
        ageMs: async () => notUploadedForMs,
        progress: async () => (left -= 1) >= 0,
        finish: async (_caller, _id, outcome) => void done.push(`task ${Object.keys(outcome).join()}`),
      }),
      files: onlyWith<Stores['files']>({
        find: async () => onlyWith<FileRecord>({ id: 'fil_1', name: 'a.txt', storageKey: 'key' }),
        markReady: async () => undefined,
      }),
      runs: onlyWith<Stores['runs']>({
        find: async () => onlyWith<Run>({ environment: {} }),
        complete: async () => {
          done.push('run complete')
          return onlyWith<Run>({ resultCount: 1, unjudgedSince: new Date(0) })
        },
        fail: note('run failed'),
      }),
      profiles: onlyWith<Stores['profiles']>({
        complete: note('profile complete'),
        fail: note('profile failed'),
      }),
    }),
    queue: onlyWith<JobDeps['queue']>({
      add: async (name, _payload, { delayMs } = {}) =>
        void done.push(delayMs === undefined ? name : `${name} in ${delayMs / 60_000} min`),
    }),
    storage: onlyWith<JobDeps['storage']>({
      find: async () =>
        notUploadedForMs === undefined ? { sizeBytes: content.length, sha256: undefined } : undefined,
      read: async () => Buffer.from(content),
      open: async () => Readable.from([Buffer.from(content)]),
    }),
  })
  return { deps, done }
}

const payload = { taskId: 'tsk_1', workspaceId: 'ws_1', requestId: 'req_1' }
const jobs = [
  {
    name: 'of results',
    job: importResults,
    content: 'BenchmarkA-2 100 10 ns/op\n',
    what: 'run',
    after: ['watch_run'],
  },
  { name: 'of a profile', job: importProfile, content: 'main;a 1\n', what: 'profile', after: [] },
]

describe.each(jobs)('an import $name', ({ job, content, what, after }) => {
  test('that was called off, and no more, is ended for what waits for it', async () => {
    const { deps, done } = opened(content, 2, { status: 'CANCELLED' })
    await job(payload, deps)
    expect(done).toEqual(['run failed', 'profile failed'])
  })

  test('that nobody calls off is stored', async () => {
    const { deps, done } = opened(content, 2)
    await job(payload, deps)
    expect(done).toEqual([`${what} complete`, ...after, 'task result'])
  })

  test.each([
    ['before it is read', 0],
    ['after it was read', 1],
  ])('that is called off %s stores nothing, and says so where it was waited for', async (_when, steps) => {
    const { deps, done } = opened(content, steps)
    await job(payload, deps)
    expect(done).toEqual(['run failed', 'profile failed', 'task isCancelled'])
  })
})

describe.each(jobs)('an import $name, while the storage is away', ({ job, content }) => {
  const away = new Problem('unavailable', 'The storage of files cannot be reached. Try again.')
  const cut = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  const whole = Buffer.from(content)
  const fails = async () => {
    throw away
  }
  const stopsAfter = (bytes: Buffer) => async () =>
    Readable.from(
      (async function* () {
        yield bytes
        throw cut
      })(),
    )
  test.each<[when: string, Partial<JobDeps['storage']>]>([
    ['from the first', { find: fails }],
    ['when it is read', { open: fails, read: fails }],
    ['in the middle', { open: stopsAfter(whole), read: fails }],
    ['in the middle of what is packed', { open: stopsAfter(gzipSync(whole).subarray(0, 20)), read: fails }],
  ])('is left as it is, to be tried again: %s', async (_when, storage) => {
    const { deps, done } = opened(content, 2)
    const isAway = job(payload, { ...deps, storage: { ...deps.storage, ...storage } })
    await expect(isAway).rejects.toSatisfy(mayComeBack)
    expect(done).toEqual([])
  })
})

describe('an import whose upload has not come', () => {
  test('is left for when its time is over, by the clock of the database: that of the worker may be ahead', async () => {
    const { deps, done } = opened('', 2, { notUploadedForMs: 10 * 60_000 })
    await importResults(payload, deps)
    expect(done).toEqual(['import_results in 50 min'])
  })

  test.each([
    ['when its time is over', 60 * 60_000],
    ['a moment before, because clocks differ a little', 60 * 60_000 - 1_000],
  ])('is ended %s', async (_when, notUploadedForMs) => {
    const { deps, done } = opened('', 2, { notUploadedForMs })
    await importResults(payload, deps)
    expect(done).toEqual(['run failed', 'task problem'])
  })
})
