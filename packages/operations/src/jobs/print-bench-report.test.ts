import { Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { DesignObject, Stores, Task } from '../ports/index.ts'
import type { JobDeps } from './job.ts'
import { printBenchReport } from './print-bench-report.ts'

// What a handler does not use is not there, and fails it.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

test('a print that fails because something is away is left to be tried again, and its task goes on', async () => {
  const ended: unknown[] = []
  const away = new Problem('unavailable', 'The storage of files cannot be reached. Try again.')
  const tasks = onlyWith<Stores['tasks']>({
    find: async () => onlyWith<Task>({ id: 'tsk_1', status: 'PENDING', result: {} }),
    finish: async (_caller, _id, outcome) => void ended.push(outcome),
  })
  const designs = onlyWith<Stores['designs']>({ find: (): Promise<DesignObject> => Promise.reject(away) })
  const deps = onlyWith<JobDeps>({ stores: onlyWith<Stores>({ tasks, designs }) })
  const printing = printBenchReport({ taskId: 'tsk_1', workspaceId: 'ws_1', requestId: 'req_1' }, deps)
  await expect(printing).rejects.toBe(away)
  expect(ended).toEqual([])
})
