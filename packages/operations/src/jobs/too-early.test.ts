import { expect, test } from 'vitest'
import { endCapture } from './end-capture.ts'
import type { JobDeps } from './job.ts'

const payload = { taskId: 'tsk_1', workspaceId: 'ws_1', requestId: 'req_1' }
const minute = 60_000

/** What a job that ends the wait of a task does, so many minutes after the task was made. */
async function doneAfter(minutes: number | undefined, waitMs?: number): Promise<string[]> {
  const done: string[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no more of it is asked
  const deps = {
    stores: {
      tasks: {
        ageMs: async () => (minutes === undefined ? undefined : minutes * minute),
        finish: async () => void done.push('ended'),
      },
    },
    queue: {
      add: async (name: string, _payload: unknown, { delayMs = 0 }: { delayMs?: number }) =>
        void done.push(`${name} in ${delayMs / minute} min`),
    },
  } as unknown as JobDeps
  await endCapture({ ...payload, ...(waitMs === undefined ? {} : { waitMs }) }, deps)
  return done
}

test('a job that a clock ahead brought too early is left for when the time is over', async () => {
  expect(await doneAfter(2, 20 * minute)).toEqual(['end_capture in 18 min'])
})

test('one that comes when the time is over, or a moment before, ends the wait', async () => {
  expect(await doneAfter(20, 20 * minute)).toEqual(['ended'])
  expect(await doneAfter(19.5, 20 * minute)).toEqual(['ended'])
})

test('one of the release before, and one whose task is gone, do as ever', async () => {
  expect(await doneAfter(2)).toEqual(['ended'])
  expect(await doneAfter(undefined, 20 * minute)).toEqual(['ended'])
})
