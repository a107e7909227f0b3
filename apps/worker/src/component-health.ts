import type { ObjectStorage, StatusStore } from '@flamegate/operations/ports'
import type { Routine } from './routines.ts'

const everyMs = 10_000
/** No workspace has this name. */
const nothingThere = 'status/nothing'

/** Tells the status page that jobs are taken and files can be reached, which it cannot see from where it is. */
export function componentHealth({
  queue,
  storage,
  status,
}: {
  queue: { check(): Promise<void> }
  storage: Pick<ObjectStorage, 'find'>
  status: Pick<StatusStore, 'markWorked'>
}): Routine {
  const tell = async (component: 'jobs' | 'files', check: () => Promise<unknown>) => {
    await check()
    await status.markWorked(component)
  }
  return {
    name: 'component_health',
    everyMs,
    async run() {
      const told = await Promise.allSettled([
        tell('jobs', () => queue.check()),
        tell('files', () => storage.find(nothingThere)),
      ])
      const failures = told.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      if (failures.length > 0) throw new AggregateError(failures, 'Something does not work')
    },
    complaint: 'a part of the installation does not work',
    isForStart: true,
  }
}
