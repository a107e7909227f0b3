import { Problem, operations, type OutputOf } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { FailedJob, JobName } from '../ports/index.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'

type FailedJobOnWire = OutputOf<typeof operations.retryJob>['job']

/**
 * Jobs of which giving up ended nothing but a task, or nothing at all. Of all others something else ended with them, or their source is
 * gone: whoever wanted it begins anew.
 */
const repeatable: ReadonlySet<JobName> = new Set<JobName>([
  'import_results',
  'import_profile',
  'store_project_file',
  'print_bench_report',
  'export_workspace',
  'watch_run',
  'remove_export',
  'make_result_files',
])

const reasonLettersMax = 300

/**
 * A failed job, for an administrator of the installation.
 * @throws Problem `job_not_found`
 */
export async function getFailedJob(context: CallContext, id: string): Promise<FailedJob> {
  await requireInstallationAdmin(context, 'job_not_found')
  context.concerns(null, id)
  return (await context.deps.queueDesk.findFailed(id)) ?? noSuchJob()
}

/** @throws Problem `job_not_found` */
export function noSuchJob(): never {
  throw new Problem(
    'job_not_found',
    'There is no such failed job. It may have been done again, or removed.',
    {
      hint: [operations.listJobs, 'shows the ones there are'],
    },
  )
}

export function isRepeatable({ name }: FailedJob): boolean {
  return repeatable.has(name)
}

export function failedJobOnWire(job: FailedJob): FailedJobOnWire {
  return {
    job_id: job.id,
    name: job.name,
    workspace_id: job.workspaceId,
    task_id: job.taskId,
    request_id: job.requestId,
    reason: reasonToShow(job.reason),
    attempts: job.attempts,
    created_at: job.createdAt.toISOString(),
    failed_at: job.failedAt.toISOString(),
    can_retry: isRepeatable(job),
  }
}

/** The first line of an error's message, without what may be secret in it: credentials in addresses, queries, tokens. */
export function reasonToShow(reason: string): string {
  const [line = ''] = reason.trim().split(/\r?\n/)
  return line
    .slice(0, 4 * reasonLettersMax)
    .replaceAll(/:\/\/[^\s/@]*@/g, '://[redacted]@')
    .replaceAll(/\?[^\s"']+/g, '?[redacted]')
    .replaceAll(/\b(?:fg_|Bearer\s+|eyJ)[\w.~+/-]{6,}=*/g, '[redacted]')
    .slice(0, reasonLettersMax)
}
