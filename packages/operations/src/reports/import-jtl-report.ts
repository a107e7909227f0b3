import { newId, operations, Problem, uploadLimits } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { resultRequestOf } from '../bench-imports/result-request.ts'
import { getProject } from '../targets.ts'
import { announceFile, createImportTask, inlineBytes, presignUpload } from '../uploads.ts'
import { presignedOnWire } from '../wire.ts'

export const importJtlReport = implement(operations.importJtlReport)(async (input, context) => {
  const { deps, principal } = context
  const content =
    input.content === undefined ? undefined : inlineBytes(input.content, 'text', uploadLimits.inlineBytes)
  const sizeBytes = content?.length ?? input.size_bytes
  if (sizeBytes === undefined || sizeBytes === 0) {
    throw new Problem(
      'invalid_input',
      'Give size_bytes (the exact size of the file), or the results themselves as content.',
      { errors: [{ field: 'size_bytes', message: 'Required without content.' }] },
    )
  }
  const project = await getProject(context, input.project_id)
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  const { file, taskId } = await announceFile(context, {
    ...place,
    runId: null,
    kind: 'import_bench_result',
    fileName: input.file_name,
    sizeBytes,
  })
  if (content !== undefined)
    await deps.storage.write(file.storageKey, content, { contentType: file.contentType })
  const request = resultRequestOf(input, {
    benchResultId: newId('benchResult'),
    benchReportId: newId('benchReport'),
    clientName: principal.clientName,
  })
  await createImportTask(
    context,
    'import_bench_result',
    { id: taskId, ...place, result: { file_id: file.id, import: request } },
    { isUploaded: content !== undefined },
  )
  const upload = content === undefined ? await presignUpload(context, file) : undefined
  return {
    project_id: project.id,
    upload: upload === undefined ? null : presignedOnWire(upload, file.name),
    task_id: taskId,
    next_poll_seconds: 1,
  }
})
