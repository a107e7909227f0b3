import { operations } from '@flamegate/contract'
import type { Reply } from './serve-api.ts'

/** Replies of an API that reads every profile at once, and names them by the number of their upload. */
export const readsProfiles: Readonly<Record<string, Reply>> = {
  create_profile_upload: (_input, callNumber) => ({
    profile_id: `prf_${callNumber}`,
    upload: null,
    task_id: `tsk_${callNumber}`,
  }),
  get_task_result: () => ({
    task: {
      ...operations.getTaskResult.examples[0]?.output.task,
      status: 'SUCCESS',
      result: { format: 'pprof', warnings: [] },
    },
    next_poll_seconds: null,
  }),
}
