import { operations } from '@flamegate/contract'
import { changedFields } from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { getReport, reportVersion } from './reaching.ts'

const changesTold = 200

export const listBenchReportVersions = implement(operations.listBenchReportVersions)(async (
  input,
  context,
) => {
  const object = await getReport(context, input.bench_report_id)
  const found = await context.deps.stores.designs.listVersions(context.caller, object.id, {
    limit: input.limit,
    before: input.before_version,
  })
  const versions = found.slice(0, input.limit)
  const changes = input.compare === undefined ? null : await compared(context, object, input.compare)
  return {
    bench_report_id: object.id,
    versions: versions.map((each) => ({
      version: each.version,
      label: each.label,
      change: each.change,
      author_email: each.authorEmail,
      author_client: each.authorClient,
      created_at: each.createdAt.toISOString(),
    })),
    next_before: found.length > input.limit ? (versions.at(-1)?.version ?? null) : null,
    changes: changes?.slice(0, changesTold) ?? null,
    change_count: changes?.length ?? null,
  }
})

/** How two versions differ, which are written as `2..5`. */
async function compared(
  context: CallContext,
  object: DesignObject,
  versions: string,
): Promise<ReturnType<typeof changedFields>> {
  const [earlier = NaN, later = NaN] = versions.split('..').map(Number)
  const [before, after] = await Promise.all([
    reportVersion(context, object, earlier),
    reportVersion(context, object, later),
  ])
  return changedFields(before, after)
}
