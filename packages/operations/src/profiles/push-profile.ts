import { newId, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { announceFile, createImportTask, presignUpload } from '../uploads.ts'
import { presignedOnWire } from '../wire.ts'
import { taskOfPushed } from './task-of-pushed.ts'

export const pushProfile = implement(operations.pushProfile)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const place = { workspaceId: project.workspaceId, projectId: project.id, runId: null }
  const { file } = await announceFile(context, {
    ...place,
    kind: 'import_profile',
    fileName: input.file_name,
    sizeBytes: input.size_bytes,
  })
  const expiresAt = new Date(Date.now() + deps.pushedProfileDays * 24 * 60 * 60_000)
  const profile = await deps.stores.profiles.create(caller, {
    ...place,
    id: newId('profile'),
    benchmarkId: null,
    fileId: file.id,
    name: input.service ?? input.file_name,
    type: 'unknown',
    tags: input.tags,
    service: input.service ?? null,
    expiresAt,
  })
  context.concerns(project.workspaceId, profile.id)
  const taskId = taskOfPushed(profile.id)
  const { started_at, duration_ms, stacks, notes } = input
  await createImportTask(
    context,
    'import_profile',
    {
      id: taskId,
      workspaceId: project.workspaceId,
      projectId: project.id,
      result: {
        file_id: file.id,
        profile_id: profile.id,
        pushed: { started_at, duration_ms, stacks, notes },
      },
    },
    { isUploaded: false },
  )
  return {
    profile_id: profile.id,
    workspace_id: project.workspaceId,
    file_id: file.id,
    expires_at: expiresAt.toISOString(),
    upload: presignedOnWire(await presignUpload(context, file), input.file_name),
    task_id: taskId,
    next_poll_seconds: 1,
  }
})
