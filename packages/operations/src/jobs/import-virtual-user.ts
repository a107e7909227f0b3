import { importBytesMax, newId, Problem } from '@flamegate/contract'
import {
  countOutcomes,
  walkActions,
  type Imported,
  type ImportedFile,
  type ImportReport,
} from '@flamegate/loadtest'
import { hasEnded } from '../ports/index.ts'
import type {
  ImportResult,
  RecordedExchanges,
  SourceReading,
  StoredFile,
  StoredReport,
} from '../ports/index.ts'
import { reachableHosts } from '../targets/reachable-hosts.ts'
import { optionsOf, readImportRequest, type ImportRequest } from '../virtual-users/import-request.ts'
import { settleImport } from '../virtual-users/settle-import.ts'
import { removeSource } from '../virtual-users/remove-source.ts'
import { told } from './told.ts'
import { runImport, workerCaller, type ImportContext, type JobDeps, type JobHandler } from './job.ts'

/** Elements that the task itself tells of; the report has them all. */
const elementsTold = 50

/** Makes virtual users of an uploaded source. */
export const importVirtualUser: JobHandler<'import_virtual_user'> = async (payload, deps) => {
  await runImport(
    payload,
    deps,
    importBytesMax,
    async (context) => {
      const { caller, task } = context
      const done = await deps.stores.imports.find(caller, task.id)
      if (done !== undefined) return done.result
      const request = readImportRequest(task.result?.['import'])
      const reading = await readSource(context, request, deps)
      try {
        const { outcome, recording } = reading
        if ('refused' in outcome) throw new Problem('unreadable_source', outcome.refused)
        await context.checkpoint(80, `Virtual users to store: ${outcome.virtualUsers.length}`)
        return await store(context, request, outcome, recording, deps)
      } finally {
        await reading.release()
      }
    },
    // Nothing was stored that would have to be told.
    async () => {},
  )
  const caller = workerCaller(payload.workspaceId)
  const task = await deps.stores.tasks.find(caller, payload.taskId)
  if (task !== undefined && hasEnded(task)) await removeSource(deps, caller, String(task.result?.['file_id']))
}

async function readSource(
  { caller, file, content, checkpoint }: ImportContext,
  request: ImportRequest,
  deps: JobDeps,
): Promise<SourceReading> {
  const isVerified = await reachableHosts({ caller, deps }, file.projectId ?? '')
  return deps.sourceReader.read({
    format: request.format,
    options: optionsOf(request),
    content: told(await content.open(), file.sizeBytes, (percent) =>
      checkpoint(percent, `Reading ${file.name}`),
    ),
    isVerified,
  })
}

async function store(
  { caller, task, file }: ImportContext,
  request: ImportRequest,
  imported: Imported,
  exchanges: RecordedExchanges | null,
  deps: JobDeps,
): Promise<Record<string, unknown>> {
  const { workspaceId } = task
  const projectId = task.projectId ?? ''
  const recordingId = exchanges === null ? null : newId('recording')
  const source = { format: request.format, file_name: file.name, task_id: task.id }
  const settled = await settleImport(
    imported,
    { designs: deps.stores.designs, caller, projectId },
    source,
    recordingId,
  )
  const report = {
    ...imported.report,
    elements: withVirtualUsers(imported.report.elements, settled.virtualUsers),
    notes: [...imported.report.notes, ...settled.notes],
  }
  const result = resultOf(settled.virtualUsers, report)
  const stored: StoredFile[] = []
  const keep = async (kept: Promise<StoredFile>) => {
    const one = await kept
    stored.push(one)
    return one
  }
  let isStored = false
  try {
    for (const each of imported.files) {
      // oxlint-disable-next-line no-await-in-loop -- one is in flight at a time
      await keep(storeFile(each, workspaceId, deps))
    }
    const files = [...stored]
    const recording =
      exchanges === null || recordingId === null
        ? null
        : {
            id: recordingId,
            file: await keep(storeRecording(exchanges, workspaceId, deps)),
            exchangeCount: exchanges.index.exchanges.length,
            index: Buffer.from(JSON.stringify(exchanges.index)),
          }
    isStored = await deps.stores.imports.complete(caller, {
      workspaceId,
      projectId,
      taskId: task.id,
      fileName: file.name,
      objects: settled.objects,
      change: {
        words: `Imported from ${file.name}`,
        author: { userId: task.createdBy, clientName: request.client_name },
      },
      files,
      recording,
      report,
      result,
    })
    // Another worker may have been first.
    return isStored ? result : ((await deps.stores.imports.find(caller, task.id))?.result ?? result)
  } finally {
    // Whatever went wrong, no bytes stay of which no row knows.
    if (!isStored) await Promise.all(stored.map(({ storageKey }) => deps.storage.remove(storageKey)))
  }
}

/** Elements with the virtual user that their action is in: it is by its id that an action is found, and users may be many. */
function withVirtualUsers(
  elements: ImportReport['elements'],
  virtualUsers: Imported['virtualUsers'],
): StoredReport['elements'] {
  const userOf = new Map(
    virtualUsers.flatMap(({ id, document }) =>
      [...walkActions(document)].map(({ action }): [string, string] => [action.id, id]),
    ),
  )
  return elements.map((element) => {
    const virtualUserId = element.actionId === null ? undefined : userOf.get(element.actionId)
    return virtualUserId === undefined ? element : { ...element, virtualUserId }
  })
}

async function storeFile(
  { path, contentType, bytes }: ImportedFile,
  workspaceId: string,
  { storage }: JobDeps,
): Promise<StoredFile> {
  const id = newId('file')
  const storageKey = `${workspaceId}/${id}`
  const { sizeBytes, sha256 = null } = await storage.write(storageKey, bytes, { contentType })
  return { id, name: path, contentType, sizeBytes, sha256, storageKey }
}

async function storeRecording(
  { open, sizeBytes, md5 }: RecordedExchanges,
  workspaceId: string,
  { storage }: JobDeps,
): Promise<StoredFile> {
  const id = newId('file')
  const storageKey = `${workspaceId}/${id}`
  const contentType = 'application/gzip'
  await storage.receive(storageKey, open(), { sizeBytes, md5, contentType })
  return { id, name: 'recording.ndjson.gz', contentType, sizeBytes, sha256: null, storageKey }
}

function resultOf(
  virtualUsers: readonly { id: string; document: { name: string } }[],
  report: ImportReport,
): ImportResult {
  const remarkable = report.elements.filter(({ outcome }) => outcome !== 'mapped')
  return {
    virtual_users: virtualUsers.map(({ id, document: { name } }) => ({ id, name })),
    ...countOutcomes(report),
    notes: report.notes,
    not_mapped: remarkable
      .slice(0, elementsTold)
      .map(({ place, kind, name, outcome, note }) => `${outcome}: ${place} (${kind} ${name}): ${note}`),
    not_mapped_more: Math.max(0, remarkable.length - elementsTold),
    // What it was asked for has been done.
    import: undefined,
  }
}
