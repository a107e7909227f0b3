import { newId, operations, Problem, uploadLimits } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import { getProject, getRun } from '../targets.ts'
import { announceFile, createImportTask, inlineBytes, presignUpload } from '../uploads.ts'
import { presignedOnWire } from '../wire.ts'

export const createProfileUpload = implement(operations.createProfileUpload)(async (input, context) => {
  const { caller, deps } = context
  const content =
    input.content === undefined
      ? undefined
      : inlineBytes(input.content, input.content_encoding, uploadLimits.inlineBytes)
  const sizeBytes = content?.length ?? input.size_bytes
  if (sizeBytes === undefined || sizeBytes === 0) {
    throw new Problem(
      'invalid_input',
      'Give size_bytes (the exact size of the file), or the file itself as content.',
      {
        errors: [{ field: 'size_bytes', message: 'Required without content.' }],
      },
    )
  }
  const project = await getProject(context, input.project_id)
  const place = await placeInRun(context, project.id, input)
  const { file, taskId } = await announceFile(context, {
    workspaceId: project.workspaceId,
    projectId: project.id,
    runId: place.runId,
    kind: 'import_profile',
    fileName: input.file_name,
    sizeBytes,
  })
  const profile = await deps.stores.profiles.create(caller, {
    id: newId('profile'),
    workspaceId: project.workspaceId,
    projectId: project.id,
    ...place,
    fileId: file.id,
    name: input.name ?? input.file_name,
    type: input.type ?? 'unknown',
    tags: input.tags,
  })
  context.concerns(project.workspaceId, profile.id)
  if (content !== undefined)
    await deps.storage.write(file.storageKey, content, { contentType: file.contentType })
  await createImportTask(
    context,
    'import_profile',
    {
      id: taskId,
      workspaceId: project.workspaceId,
      projectId: project.id,
      result: { file_id: file.id, profile_id: profile.id },
    },
    { isUploaded: content !== undefined },
  )
  const upload = content === undefined ? await presignUpload(context, file) : undefined
  return {
    profile_id: profile.id,
    upload: upload === undefined ? null : presignedOnWire(upload, input.file_name),
    task_id: taskId,
    next_poll_seconds: 1,
  }
})

async function placeInRun(
  context: CallContext,
  projectId: string,
  input: { run_id?: string | undefined; benchmark?: string | undefined },
): Promise<{ runId: string | null; benchmarkId: string | null }> {
  if (input.run_id === undefined) {
    if (input.benchmark === undefined) return { runId: null, benchmarkId: null }
    throw new Problem('invalid_input', 'A benchmark needs its run: give run_id too.', {
      errors: [{ field: 'run_id', message: 'Required with benchmark.' }],
    })
  }
  const run = await getRun(context, input.run_id)
  if (run.projectId !== projectId) throw new Problem('run_not_found', 'That run belongs to another project.')
  if (input.benchmark === undefined) return { runId: run.id, benchmarkId: null }
  const result = await context.deps.stores.runs.findResult(context.caller, run.id, input.benchmark)
  if (result === undefined) {
    throw new Problem('benchmark_not_found', `Run ${run.id} has no benchmark ${input.benchmark}.`, {
      hint: [operations.getRun, 'shows the ones it has'],
    })
  }
  return { runId: run.id, benchmarkId: result.benchmarkId }
}
