import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { enterUpload } from '../limits/upload-limits.ts'
import { addFile, createImportTask, uploadMinutes } from '../uploads.ts'
import { presignedOnWire } from '../wire.ts'
import { getProjectOfRepository } from '../targets.ts'
import { newRun } from './run-of-upload.ts'

const fileName = 'profile.tar'

export const createCodspeedUpload = implement(operations.createCodspeedUpload)(async (input, context) => {
  const project = await getProjectOfRepository(context, input.repository)
  // Nobody says how large it is before the archive comes.
  await enterUpload(context, project.workspaceId, 0)
  const run = await newRun(context, project, input, input.ci_run)
  const { file, taskId } = await addFile(context, {
    workspaceId: run.workspaceId,
    projectId: run.projectId,
    runId: run.id,
    kind: 'import_results',
    fileName,
    sizeBytes: 0,
  })
  await createImportTask(
    context,
    'import_results',
    {
      id: taskId,
      workspaceId: run.workspaceId,
      projectId: run.projectId,
      result: { file_id: file.id, run_id: run.id, adapter: 'codspeed', allow_empty: input.allow_empty },
    },
    { isUploaded: false },
  )
  const expiresAt = new Date(Date.now() + uploadMinutes * 60_000)
  const upload = {
    method: 'PUT',
    url: context.deps.archiveLinks.urlOf({
      key: file.storageKey,
      taskId,
      md5: input.content_md5,
      expiresAt,
    }),
    headers: { 'content-md5': input.content_md5 },
    expiresAt: expiresAt.toISOString(),
  } as const
  return {
    run_id: run.id,
    project_id: run.projectId,
    upload: presignedOnWire(upload, fileName),
    task_id: taskId,
    next_poll_seconds: 2,
  }
})
