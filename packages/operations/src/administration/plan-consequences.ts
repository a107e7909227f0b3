import type { operations, OutputOf, PlanLimits } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { PlanUse, PlanUseOf } from '../ports/index.ts'

type Consequences = Pick<OutputOf<typeof operations.setPlan>, 'exceeded' | 'removed'>
type UsedLimit = Consequences['exceeded'][number]['limit']

/** What a workspace uses of each limit. */
const usedOf: { [Limit in UsedLimit]: (use: PlanUse) => number } = {
  storage_bytes: (use) => use.storageBytes,
  result_bytes: (use) => use.resultBytes,
  result_file_bytes: (use) => use.resultFileBytes,
  live_recording_bytes: (use) => use.liveRecordingBytes,
  mcp_report_bytes: (use) => use.mcpReportBytes,
  uploads_per_day: (use) => use.uploadsToday,
  agent_hours_per_month: (use) => use.agentSecondsThisMonth / 3600,
}

/** What is kept for as long as a plan says, and of each how much a workspace has that is older. */
const oldOf: { [Kind in Consequences['removed'][number]['kind']]: (use: PlanUse) => number } = {
  runs: (use) => use.oldRuns,
  profiles: (use) => use.oldProfiles,
  bench_results: (use) => use.oldBenchResults,
  live_recordings: (use) => use.oldLiveRecordings,
  mcp_sessions: (use) => use.oldMcpSessions,
}

/** What these limits would mean now for the workspaces that would go by them. */
export async function planConsequences(
  { caller, deps }: CallContext,
  limits: PlanLimits,
  of: PlanUseOf,
): Promise<Consequences> {
  const uses = await deps.stores.administration.listPlanUse(caller, of, limits.retention_days)
  return consequencesOf(uses, limits, deps.limits?.factor ?? Infinity)
}

/** @param factor How far the installation goes from its plans */
export function consequencesOf(uses: readonly PlanUse[], limits: PlanLimits, factor: number): Consequences {
  const exceeded = keysOf(usedOf).flatMap((limit) => {
    const most = limits[limit] === null || factor === Infinity ? Infinity : Math.round(limits[limit] * factor)
    const over = uses.map(usedOf[limit]).filter((used) => used > most)
    return over.length === 0
      ? []
      : { limit, most, workspace_count: over.length, most_used: Math.max(...over) }
  })
  const removed = keysOf(oldOf).flatMap((kind) => {
    const counts = uses.map(oldOf[kind]).filter((count) => count > 0)
    const count = counts.reduce((sum, each) => sum + each, 0)
    return counts.length === 0 ? [] : { kind, count, workspace_count: counts.length }
  })
  return { exceeded, removed }
}

function keysOf<Key extends string>(of: Record<Key, unknown>): Key[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written out above, and nothing more
  return Object.keys(of) as Key[]
}
