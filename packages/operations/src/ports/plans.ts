import type { Caller, PlanLimits } from '@flamegate/contract'

/** What workspaces may use, as administrators of the installation set it. */
export interface Plan {
  id: string
  title: string
  limits: PlanLimits
}

export interface PlanStore {
  /** Remembered for some seconds, and a promise only when it is not: calls wait for it. Of a missing workspace it is that of new ones. */
  ofWorkspace(workspaceId: string): Plan | Promise<Plan>
}

/** What a workspace used on a day of UTC, such as `2026-11-23`. */
export interface UsageDay {
  day: string
  calls: number
  uploads: number
  uploadBytes: number
  agentSeconds: number
  /** The most that was stored. */
  storageBytes: number
}

export interface UsageStore {
  /** Oldest first; days on which nothing happened are not among them. */
  listDays(caller: Caller, workspaceId: string, range: { from: string; to: string }): Promise<UsageDay[]>
  /** Counts an upload; false when there were `uploadsMax` today, and nothing is counted. */
  countUpload(
    caller: Caller,
    workspaceId: string,
    upload: { sizeBytes: number; uploadsMax: number },
  ): Promise<boolean>
  /** Of files that are there, and of those that are on their way. */
  countStorageBytes(caller: Caller, workspaceId: string): Promise<number>
  /** Since the first of the month of UTC, and what runs that have not ended may still take. */
  countAgentSeconds(
    caller: Caller,
    workspaceId: string,
  ): Promise<{ usedSeconds: number; promisedSeconds: number }>
}

/** What is removed by the worker when it is older than the plan of its workspace keeps it. */
export const retainedKinds = ['runs', 'profiles', 'bench_results', 'live_recordings', 'mcp_sessions'] as const
export type RetainedKind = (typeof retainedKinds)[number]
