import { newId, Problem, type Caller } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { hasEnded, mayComeBack, NotPrinted } from '../ports/index.ts'
import type { DesignObject, PrintFormat, Task } from '../ports/index.ts'
import { addShareLink, inDays } from '../share-links.ts'
import { workerCaller, type JobDeps, type JobHandler } from './job.ts'
import { tellNowAndThen } from './tell-now-and-then.ts'

/** How long a print is kept. */
const keptDays = 30
/** How long the browser may read the report, however long it takes. */
const linkMs = 600_000

const contentTypes: Record<PrintFormat, string> = { pdf: 'application/pdf', html: 'text/html' }

/** Prints a report, as whoever asked for it may read it. */
export const printBenchReport: JobHandler<'print_bench_report'> = async (payload, deps) => {
  const caller = workerCaller(payload.workspaceId)
  const task = await deps.stores.tasks.find(caller, payload.taskId)
  if (task === undefined || hasEnded(task)) return
  try {
    const report = await deps.stores.designs.find(caller, String(task.result?.['bench_report_id']))
    if (report?.kind !== 'bench_report')
      throw new Problem('bench_report_not_found', 'The report was deleted.')
    const format = task.result?.['format'] === 'html' ? 'html' : 'pdf'
    const printed = await print(caller, task, report, format, deps)
    const isWanted =
      printed !== undefined &&
      (await deps.stores.tasks.progress(caller, task.id, { percent: 95, message: 'Printed' }))
    await deps.stores.tasks.finish(
      caller,
      task.id,
      isWanted
        ? { result: { ...task.result, ...(await keep(caller, report, format, printed, deps)) } }
        : { isCancelled: true },
    )
  } catch (error) {
    const isRefused = error instanceof Problem && !mayComeBack(error)
    if (!isRefused && !(error instanceof NotPrinted)) throw error
    const code = isRefused ? error.code : 'unavailable'
    await deps.stores.tasks.finish(caller, task.id, { problem: { code, detail: error.message } })
  }
}

/** The bytes of the print; undefined when it was called off. */
async function print(
  caller: Caller,
  task: Task,
  report: DesignObject,
  format: PrintFormat,
  deps: JobDeps,
): Promise<Uint8Array | undefined> {
  const { tasks, shareLinks } = deps.stores
  const { workspaceId, projectId, name } = report
  const items = parseDocument('bench_report', report.document).items.length
  let read = 0
  const stop = new AbortController()
  const tell = async () => {
    const percent = 5 + Math.round(85 * Math.min(1, read / Math.max(1, items)))
    const message = read === 0 ? 'Opening the report' : `${read} of ${items} items read`
    if (!(await tasks.progress(caller, task.id, { percent, message }))) stop.abort()
  }
  await tell()
  if (stop.signal.aborted) return undefined
  // The link is a credential of whoever asked, and shows no more than they may see.
  const asker: Caller = { ...caller, principal: { ...caller.principal, userId: task.createdBy } }
  const { link, path } = await addShareLink(
    { caller: asker, deps },
    {
      workspaceId,
      projectId,
      of: { benchReportId: report.id },
      isPublic: true,
      expiresAt: new Date(Date.now() + linkMs),
    },
  )
  const over = new AbortController()
  const telling = tellNowAndThen(tell, over.signal)
  try {
    return await deps.printer.print({
      path: path.replace('#', '?print=1#'),
      format,
      name,
      signal: stop.signal,
      onItem: () => read++,
    })
  } catch (error) {
    if (stop.signal.aborted) return undefined
    throw error
  } finally {
    over.abort()
    await telling
    await shareLinks.remove(caller, workspaceId, link.id)
  }
}

/** Keeps a print as a file of the report. Gives what the task tells of it. */
async function keep(
  caller: Caller,
  { id: benchReportId, workspaceId, projectId, name: reportName }: DesignObject,
  format: PrintFormat,
  bytes: Uint8Array,
  { stores, storage }: JobDeps,
): Promise<Record<string, unknown>> {
  const fileId = newId('file')
  const storageKey = `${workspaceId}/${fileId}`
  // As the name of a file on any system.
  const name = `${reportName.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '-')}.${format}`
  const contentType = contentTypes[format]
  const expiresAt = inDays(keptDays)
  await stores.files.create(caller, {
    id: fileId,
    workspaceId,
    projectId,
    runId: null,
    benchReportId,
    purpose: 'print_bench_report',
    name,
    contentType,
    sizeBytes: bytes.length,
    storageKey,
    expiresAt,
  })
  const { sha256 = null } = await storage.write(storageKey, bytes, { contentType })
  await stores.files.markReady(caller, fileId, { sizeBytes: bytes.length, sha256, expiresAt })
  return {
    file_id: fileId,
    file_name: name,
    size_bytes: bytes.length,
    expires_at: expiresAt.toISOString(),
    next_call: { operation: 'download_file', input: { file_id: fileId } },
  }
}
