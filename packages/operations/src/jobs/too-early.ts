import type { Caller } from '@flamegate/contract'
import type { Deps } from '../implement.ts'
import type { JobName, JobPayloads } from '../ports/index.ts'

/** Clocks that are right differ by less than that. */
const earlyMs = 60_000

/**
 * Whether a job that ends the wait of its task comes too early, and was left for when the time is over. Such a job is due by the
 * clock of whoever takes it: where that one is ahead, it comes while somebody still does what is waited for.
 * @param waitMs how long is waited, from when the task was made
 */
export async function isTooEarly<N extends JobName>(
  caller: Caller,
  { name, payload, waitMs }: { name: N; payload: JobPayloads[N]; waitMs: number },
  { stores, queue }: Pick<Deps, 'stores' | 'queue'>,
): Promise<boolean> {
  const ageMs = await stores.tasks.ageMs(caller, payload.taskId)
  if (ageMs === undefined || waitMs - ageMs < earlyMs) return false
  await queue.add(name, payload, { delayMs: waitMs - ageMs })
  return true
}
