import type { Caller } from '@flamegate/contract'
import type { Stores, Task } from '../ports/index.ts'

/** Ends the validation of a task, if it has one, of which no more will come; what it told stays, and so does one that has ended. */
export async function giveUpValidation(
  { validations }: Pick<Stores, 'validations'>,
  caller: Caller,
  { result }: Pick<Task, 'result'>,
  end: { state: 'CANCELLED' | 'ERROR'; message: string },
): Promise<void> {
  const id = result?.['validation_id']
  if (typeof id !== 'string') return
  await validations.giveUp(caller, id, end)
}
