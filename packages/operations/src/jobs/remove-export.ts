import type { JobHandler } from './job.ts'

/** Removes a file that was made for a link which has expired by now. */
export const removeExport: JobHandler<'remove_export'> = ({ workspaceId, taskId }, { storage }) =>
  storage.remove(`${workspaceId}/${taskId}`)
