import type { Caller } from '@flamegate/contract'
import type { Stores, Task } from '../ports/index.ts'

/** Ends the validation of a task, if it has one, of which nothing was done. One that has ended stays as it is. */
export async function endWithoutRun(
  { validations }: Pick<Stores, 'validations'>,
  caller: Caller,
  { result }: Pick<Task, 'result'>,
  end: { state: 'CANCELLED' | 'ERROR'; message: string },
): Promise<void> {
  const id = result?.['validation_id']
  if (typeof id !== 'string') return
  const nothing = { passed: 0, failed: 0, skipped: 0, results: [], fileId: null, index: null }
  await validations.finish(caller, id, { ...nothing, ...end })
}
