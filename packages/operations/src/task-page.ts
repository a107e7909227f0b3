import { benchReportLink, benchResultLink, mcpSessionLink } from '@flamegate/contract'
import type { Task } from './ports/index.ts'

/** Path of the page that shows what came of a task. */
export function pageOfTask({ id, kind, status, result, projectId }: Task): string {
  const {
    run_id: runId,
    profile_id: profileId,
    bench_result_id: benchResultId,
    mcp_session_id: sessionId,
  } = result ?? {}
  const reportId = result?.['bench_report_id']
  if (typeof profileId === 'string') return `/profiles/${profileId}`
  if (typeof sessionId === 'string') return mcpSessionLink(sessionId)
  if (typeof benchResultId === 'string' && projectId !== null)
    return benchResultLink({ project_id: projectId, id: benchResultId })
  if (typeof reportId === 'string') return benchReportLink({ id: reportId })
  if (typeof runId === 'string') return `/runs/${runId}`
  if (kind === 'import_virtual_user' && status === 'SUCCESS') return `/imports/${id}`
  return projectId === null ? '/' : `/projects/${projectId}`
}
