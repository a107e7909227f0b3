import { uploadLimits } from '@flamegate/contract'
import { runImport, type JobHandler } from './job.ts'

/** Lets the path of an uploaded project file mean it, now that its bytes are there. */
export const storeProjectFile: JobHandler<'store_project_file'> = (payload, deps) =>
  runImport(
    payload,
    deps,
    uploadLimits.projectFileBytes,
    async ({ caller, file, checkpoint }) => {
      await checkpoint(90, 'Storing the file')
      await deps.stores.projectFiles.place(caller, file.id)
      return { size_bytes: file.sizeBytes }
    },
    async () => {},
  )
