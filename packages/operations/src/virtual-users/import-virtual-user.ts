import { operations, Problem, uploadLimits } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { announceFile, createImportTask, inlineBytes, presignUpload } from '../uploads.ts'
import { presignedOnWire } from '../wire.ts'
import { importRequestOf } from './import-request.ts'

export const importVirtualUser = implement(operations.importVirtualUser)(async (input, context) => {
  const { deps, principal } = context
  const content =
    input.content === undefined ? undefined : inlineBytes(input.content, 'text', uploadLimits.inlineBytes)
  const sizeBytes = content?.length ?? input.size_bytes
  if (sizeBytes === undefined || sizeBytes === 0) {
    throw new Problem(
      'invalid_input',
      'Give size_bytes (the exact size of the file), or the source itself as content.',
      {
        errors: [{ field: 'size_bytes', message: 'Required without content.' }],
      },
    )
  }
  const project = await getProject(context, input.project_id)
  const fileName = input.file_name ?? `source.${input.format}`
  const { file, taskId } = await announceFile(context, {
    workspaceId: project.workspaceId,
    projectId: project.id,
    runId: null,
    kind: 'import_virtual_user',
    fileName,
    sizeBytes,
  })
  if (content !== undefined)
    await deps.storage.write(file.storageKey, content, { contentType: file.contentType })
  await createImportTask(
    context,
    'import_virtual_user',
    {
      id: taskId,
      workspaceId: project.workspaceId,
      projectId: project.id,
      result: { file_id: file.id, import: importRequestOf(input, principal.clientName) },
    },
    { isUploaded: content !== undefined },
  )
  const upload = content === undefined ? await presignUpload(context, file) : undefined
  return {
    project_id: project.id,
    upload: upload === undefined ? null : presignedOnWire(upload, fileName),
    task_id: taskId,
    next_poll_seconds: 1,
  }
})
