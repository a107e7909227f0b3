import type { Caller, PlanLimits } from '@flamegate/contract'
import type { Plan, UsageDay } from './plans.ts'
import type { PageRequest } from './stores.ts'

/** A person, as administrators of the installation see them. */
export interface Person {
  id: string
  email: string
  name: string
  createdAt: Date
  emailVerifiedAt: Date | null
  /** Since when they are shut out, and why; null: they are not. */
  disabledAt: Date | null
  disabledReason: string | null
  isInstallationAdmin: boolean
  workspaceCount: number
  /** Sessions of browsers that have not expired. */
  sessionCount: number
}

/** A workspace, as administrators of the installation see it. */
export interface Tenant {
  id: string
  slug: string
  name: string
  plan: string
  createdAt: Date
  deletesAt: Date | null
  memberCount: number
  projectCount: number
  /** Of all files that were stored. */
  storageBytes: number
}

/** A plan, and how many workspaces have it. */
export interface CountedPlan extends Plan {
  workspaceCount: number
}

/** Whose use is asked for: of all workspaces of a plan, or of one. */
export type PlanUseOf = { planId: string } | { workspaceId: string }

/** What a workspace uses of what plans limit, and how much it has that is older than it is to be kept. */
export interface PlanUse {
  workspaceId: string
  storageBytes: number
  resultBytes: number
  resultFileBytes: number
  liveRecordingBytes: number
  mcpReportBytes: number
  uploadsToday: number
  agentSecondsThisMonth: number
  oldRuns: number
  oldProfiles: number
  oldBenchResults: number
  oldLiveRecordings: number
  oldMcpSessions: number
}

/** What a workspace used in a month: sums, but the most that was stored on a day. */
export interface TenantUsage extends Omit<UsageDay, 'day'> {
  /** Of the workspace. */
  id: string
  /** As it is now; null where the workspace was deleted. */
  name: string | null
  slug: string | null
  plan: string | null
}

export type UsageColumn = keyof Omit<UsageDay, 'day'>

/**
 * The installation as a whole. Everything is done in the name of the caller, and the database asks again whether they
 * administer it: a list is empty for others, and a change is not made.
 */
export interface AdministrationStore {
  /**
   * Whether a person administers the installation. One whom the settings name has the role for as long as they do: it
   * is given, or taken away, by this.
   */
  isAdmin(userId: string, isNamedBySettings: boolean): Promise<boolean>
  /** Gives or takes the role. */
  setAdmin(caller: Caller, userId: string, isAdmin: boolean): Promise<void>

  /** Newest first. */
  listPeople(
    caller: Caller,
    page: PageRequest,
    filter: { search?: string | undefined; isDisabled?: boolean | undefined },
  ): Promise<Person[]>
  findPerson(caller: Caller, userId: string): Promise<Person | undefined>
  /**
   * Shuts a person out: sessions and connected apps end, on every process within a second, and API tokens do not work
   * for as long as it lasts. Null lets them in again.
   */
  setDisabled(caller: Caller, userId: string, disabled: { reason: string } | null): Promise<void>
  /** Ends all sessions and connected apps of a person, who may log in again. */
  endSessions(caller: Caller, userId: string): Promise<{ sessions: number; apps: number }>

  /** Newest first. */
  listTenants(
    caller: Caller,
    page: PageRequest,
    filter: { search?: string | undefined; isBeingDeleted?: boolean | undefined },
  ): Promise<Tenant[]>
  findTenant(caller: Caller, workspaceId: string): Promise<Tenant | undefined>

  listPlans(caller: Caller): Promise<CountedPlan[]>
  /** Changes a plan, or adds it after the others. */
  setPlan(caller: Caller, plan: Plan): Promise<CountedPlan>
  setTenantPlan(caller: Caller, workspaceId: string, planId: string): Promise<void>
  listPlanUse(caller: Caller, of: PlanUseOf, retentionDays: PlanLimits['retention_days']): Promise<PlanUse[]>

  /**
   * Of workspaces that used anything in a month of UTC, such as `2026-11`; a page of them, the largest first, or all in the order of
   * their ids.
   */
  listUsage(
    caller: Caller,
    month: string,
    page?: { sortBy: UsageColumn; limit: number; after: { value: number; id: string } | undefined },
  ): Promise<TenantUsage[]>
}
