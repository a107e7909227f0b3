import { operations, Problem, uploadLimits, type InputOf } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { announceFile, createImportTask, inlineBytes, presignUpload } from '../uploads.ts'
import { presignedOnWire } from '../wire.ts'
import { readProjectPath } from './project-path.ts'

export const uploadProjectFile = implement(operations.uploadProjectFile)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const path = readProjectPath(input.path)
  const content = contentOf(input)
  const { file, taskId } = await announceFile(context, {
    workspaceId: project.workspaceId,
    projectId: project.id,
    runId: null,
    kind: 'store_project_file',
    fileName: path,
    sizeBytes: content?.length ?? requiredSize(input),
  })
  context.concerns(project.workspaceId, file.id)
  if (content !== undefined)
    await context.deps.storage.write(file.storageKey, content, { contentType: file.contentType })
  await createImportTask(
    context,
    'store_project_file',
    {
      id: taskId,
      workspaceId: project.workspaceId,
      projectId: project.id,
      result: { file_id: file.id, path },
    },
    { isUploaded: content !== undefined },
  )
  const upload = content === undefined ? await presignUpload(context, file) : undefined
  return {
    file_id: file.id,
    project_id: project.id,
    path,
    upload: upload === undefined ? null : presignedOnWire(upload, path.slice(path.lastIndexOf('/') + 1)),
    task_id: taskId,
    next_poll_seconds: 1,
  }
})

type Input = InputOf<typeof operations.uploadProjectFile>

function contentOf(input: Input): Uint8Array | undefined {
  if (input.content === undefined) return undefined
  return inlineBytes(input.content, input.content_encoding, uploadLimits.inlineBytes)
}

function requiredSize({ size_bytes: sizeBytes }: Input): number {
  if (sizeBytes !== undefined) return sizeBytes
  throw new Problem('invalid_input', 'Without content, say how large the file is.', {
    errors: [{ field: 'size_bytes', message: 'Required without content.' }],
  })
}
