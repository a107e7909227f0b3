import {
  benchReportLink,
  benchResultLink,
  idPrefixes,
  operations,
  Problem,
  type OutputOf,
} from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement, type CallContext } from '../implement.ts'
import type { FileRecord, FileStore } from '../ports/index.ts'
import { getBenchRun } from '../bench-runs/reaching.ts'
import { getReport } from '../reports/reaching.ts'
import { getProfile, getProject, getRun } from '../targets.ts'
import { pagePath } from './page-path.ts'

export const listFiles = implement(operations.listFiles)(async (input, context) => {
  const { caller, deps } = context
  const { filter, page } = await ownerOf(input.owner, context)
  const { rows, nextCursor } = await pageOf('files', input, { owner: input.owner }, (request) =>
    deps.stores.files.list(caller, filter, request),
  )
  return { owner: input.owner, files: rows.map(fileOnWire), next_cursor: nextCursor, page }
})

async function ownerOf(
  id: string,
  context: CallContext,
): Promise<{ filter: Parameters<FileStore['list']>[1]; page: string }> {
  const isOf = (kind: keyof typeof idPrefixes) => id.startsWith(`${idPrefixes[kind]}_`)
  if (isOf('project')) {
    await getProject(context, id)
    return { filter: { projectId: id }, page: pagePath('project', id) }
  }
  if (isOf('run')) {
    await getRun(context, id)
    return { filter: { runId: id }, page: pagePath('run', id) }
  }
  if (isOf('profile')) {
    await getProfile(context, id)
    return { filter: { profileId: id }, page: pagePath('profile', id) }
  }
  if (isOf('benchReport')) {
    const { id: benchReportId } = await getReport(context, id)
    return { filter: { benchReportId }, page: benchReportLink({ id }) }
  }
  if (isOf('benchResult')) {
    const { projectId } = await getBenchRun(context, id)
    return { filter: { benchResultId: id }, page: benchResultLink({ project_id: projectId, id }) }
  }
  throw new Problem(
    'owner_not_found',
    'Files belong to a project (prj_…), a run (run_…), a profile (prf_…), a bench result (bnr_…) or a report (rep_…). search finds them.',
  )
}

type FileOnWire = OutputOf<typeof operations.listFiles>['files'][number]

/** What a file is, by the job that reads it. */
const kinds: Readonly<Record<string, FileOnWire['kind']>> = {
  import_results: 'results',
  import_profile: 'profile',
  import_virtual_user: 'import',
  import_bench_result: 'import',
  keep_validation: 'validation',
  print_bench_report: 'report',
  recording: 'recording',
  store_project_file: 'project_file',
  request_log: 'request_log',
  agent_log: 'agent_log',
  failed_exchanges: 'failed_exchanges',
  page_trace: 'page_trace',
}

function fileOnWire(file: FileRecord): FileOnWire {
  return {
    id: file.id,
    project_id: file.projectId,
    run_id: file.runId,
    kind: kinds[file.purpose] ?? 'results',
    name: file.name,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    status: file.status,
    created_at: file.createdAt.toISOString(),
  }
}
