import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { addFile, createImportTask, presignUpload } from '../uploads.ts'
import { presignedOnWire } from '../wire.ts'
import { runOfUpload } from './run-of-upload.ts'

export const createRunUpload = implement(operations.createRunUpload)(async (input, context) => {
  const run = await runOfUpload(context, input, input.size_bytes)
  const { file, taskId } = await addFile(context, {
    workspaceId: run.workspaceId,
    projectId: run.projectId,
    runId: run.id,
    kind: 'import_results',
    fileName: input.file_name,
    sizeBytes: input.size_bytes,
  })
  await createImportTask(
    context,
    'import_results',
    {
      id: taskId,
      workspaceId: run.workspaceId,
      projectId: run.projectId,
      result: { file_id: file.id, run_id: run.id, adapter: input.adapter },
    },
    { isUploaded: false },
  )
  const upload = await presignUpload(context, file)
  return {
    run_id: run.id,
    project_id: run.projectId,
    upload: presignedOnWire(upload, input.file_name),
    task_id: taskId,
    next_poll_seconds: 2,
  }
})
