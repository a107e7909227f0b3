import { planLimitsSchema, type Caller } from '@flamegate/contract'
import {
  NotPermitted,
  resultFilePurposes,
  type AdministrationStore,
  type CountedPlan,
  type Person,
  type PlanUse,
  type Tenant,
  type TenantUsage,
  type UsageColumn,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { containing, execute, nothing, queryRows, sql, startAfter, type Sql } from '../sql.ts'
import { removeSessions, revokeGrants } from './account-store.ts'

/** As `flamegate_auth` in the name of the administrator: policies and a trigger ask whether they are one. */
export function administrationStore(database: Database): AdministrationStore {
  const { auth } = database

  /** Changes something in an administrator's name. */
  function asAdmin<T>(caller: Caller, work: (client: ClientBase) => Promise<T>): Promise<T> {
    if (caller.access === 'read') throw new NotPermitted()
    return database.asPerson(caller.principal.userId, async (client) => {
      await mustAdministerAll(client)
      return work(client)
    })
  }

  return {
    async isAdmin(userId, isNamedBySettings) {
      const [held] = await queryRows<{ bySettings: boolean }>(
        auth,
        sql`SELECT granted_by IS NULL AS "bySettings" FROM installation_admins WHERE user_id = ${userId}`,
      )
      if (held?.bySettings === false) return true
      if (isNamedBySettings && held === undefined) {
        await execute(
          auth,
          sql`INSERT INTO installation_admins (user_id) VALUES (${userId}) ON CONFLICT (user_id) DO NOTHING`,
        )
      }
      if (!isNamedBySettings && held !== undefined) {
        await execute(
          auth,
          sql`DELETE FROM installation_admins WHERE user_id = ${userId} AND granted_by IS NULL`,
        )
      }
      return isNamedBySettings
    },

    setAdmin: (caller, userId, isAdmin) =>
      asAdmin(caller, async (client) => {
        await execute(
          client,
          isAdmin
            ? sql`INSERT INTO installation_admins (user_id, granted_by) VALUES (${userId}, ${caller.principal.userId})
                ON CONFLICT (user_id) DO UPDATE SET granted_by = excluded.granted_by, granted_at = now()`
            : sql`DELETE FROM installation_admins WHERE user_id = ${userId}`,
        )
      }),

    listPeople: (caller, page, { search, isDisabled }) =>
      database.asPerson(caller.principal.userId, (client) =>
        selectPeople(
          client,
          sql`${
            search === undefined
              ? nothing
              : sql`AND (users.name ILIKE ${containing(search)} OR users.email ILIKE ${containing(search)}
                  OR users.id = ${search})`
          }
          ${isDisabled === undefined ? nothing : sql`AND (users.disabled_at IS NOT NULL) = ${isDisabled}`}
          ${startAfter(page.after, sql`users.created_at, users.id`)}
          ORDER BY users.created_at DESC, users.id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    async findPerson(caller, userId) {
      const [person] = await database.asPerson(caller.principal.userId, (client) =>
        selectPeople(client, sql`AND users.id = ${userId}`),
      )
      return person
    },

    setDisabled: (caller, userId, disabled) =>
      asAdmin(caller, async (client) => {
        await execute(
          client,
          disabled
            ? sql`UPDATE users SET disabled_at = coalesce(disabled_at, now()), disabled_reason = ${disabled.reason}
                WHERE id = ${userId}`
            : sql`UPDATE users SET disabled_at = NULL, disabled_reason = NULL WHERE id = ${userId}`,
        )
        if (disabled) {
          await execute(client, sql`DELETE FROM tickets WHERE user_id = ${userId}`)
          await removeSessions(client, userId)
          await revokeGrants(client, userId, new Date(0))
        }
        await execute(client, sql`SELECT pg_notify('flamegate_visible_changes', ${userId})`)
      }),

    endSessions: (caller, userId) =>
      asAdmin(caller, async (client) => ({
        sessions: await removeSessions(client, userId),
        apps: await revokeGrants(client, userId, new Date(0)),
      })),

    listTenants: (caller, page, { search, isBeingDeleted }) =>
      database.asPerson(caller.principal.userId, (client) =>
        selectTenants(
          client,
          sql`${
            search === undefined
              ? nothing
              : sql`AND (workspaces.name ILIKE ${containing(search)} OR workspaces.slug ILIKE ${containing(search)}
                  OR workspaces.id = ${search})`
          }
          ${isBeingDeleted === undefined ? nothing : sql`AND (deletes_at IS NOT NULL) = ${isBeingDeleted}`}
          ${startAfter(page.after, sql`workspaces.created_at, workspaces.id`)}
          ORDER BY workspaces.created_at DESC, workspaces.id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    async findTenant(caller, workspaceId) {
      const [tenant] = await database.asPerson(caller.principal.userId, (client) =>
        selectTenants(client, sql`AND workspaces.id = ${workspaceId}`),
      )
      return tenant
    },

    listPlans: (caller) =>
      database.asPerson(caller.principal.userId, (client) => selectPlans(client, sql`ORDER BY position, id`)),

    setPlan: (caller, { id, title, limits }) =>
      asAdmin(caller, async (client) => {
        await execute(
          client,
          sql`INSERT INTO plans (id, title, position, limits)
            VALUES (${id}, ${title}, (SELECT coalesce(max(position), 0) + 1 FROM plans), ${JSON.stringify(limits)}::jsonb)
            ON CONFLICT (id) DO UPDATE SET title = excluded.title, limits = excluded.limits, updated_at = now()`,
        )
        const [plan] = await selectPlans(client, sql`AND plans.id = ${id}`)
        if (plan === undefined) throw new Error('A plan that was set is there')
        return plan
      }),

    setTenantPlan: (caller, workspaceId, planId) =>
      asAdmin(caller, async (client) => {
        await execute(client, sql`UPDATE workspaces SET plan_id = ${planId} WHERE id = ${workspaceId}`)
      }),

    listPlanUse: (caller, of, retentionDays) =>
      database.asPerson(caller.principal.userId, (client) =>
        queryRows<PlanUse>(
          client,
          sql`SELECT workspace_id AS "workspaceId", storage_bytes AS "storageBytes", result_bytes AS "resultBytes",
              result_file_bytes AS "resultFileBytes", live_recording_bytes AS "liveRecordingBytes",
              mcp_report_bytes AS "mcpReportBytes", uploads_today AS "uploadsToday",
              agent_seconds_this_month AS "agentSecondsThisMonth", old_runs AS "oldRuns",
              old_profiles AS "oldProfiles", old_bench_results AS "oldBenchResults",
              old_live_recordings AS "oldLiveRecordings", old_mcp_sessions AS "oldMcpSessions"
            FROM flamegate_plan_use(${'planId' in of ? of.planId : null}, ${'workspaceId' in of ? of.workspaceId : null},
              ${[...resultFilePurposes]}::text[], ${JSON.stringify(retentionDays)}::jsonb)`,
        ),
      ),

    listUsage: (caller, month, page) =>
      database.asPerson(caller.principal.userId, (client) =>
        queryRows<TenantUsage>(
          client,
          sql`SELECT used.*, workspaces.name, workspaces.slug, workspaces.plan_id AS plan
            FROM (
              SELECT workspace_id AS id, sum(calls)::bigint AS calls, sum(uploads)::bigint AS uploads,
                sum(upload_bytes)::bigint AS "uploadBytes", sum(agent_seconds)::bigint AS "agentSeconds",
                max(storage_bytes) AS "storageBytes"
              FROM usage_days WHERE (SELECT flamegate_administers()) AND day BETWEEN ${`${month}-01`} AND ${`${month}-31`}
              GROUP BY workspace_id
            ) AS used LEFT JOIN workspaces ON workspaces.id = used.id
            ${page === undefined ? sql`ORDER BY used.id` : largestFirst(page)}`,
        ),
      ),
  }
}

const usageColumns: Record<UsageColumn, Sql> = {
  calls: sql`calls`,
  uploads: sql`uploads`,
  uploadBytes: sql`"uploadBytes"`,
  agentSeconds: sql`"agentSeconds"`,
  storageBytes: sql`"storageBytes"`,
}

function largestFirst({
  sortBy,
  limit,
  after,
}: {
  sortBy: UsageColumn
  limit: number
  after: { value: number; id: string } | undefined
}): Sql {
  const column = sql`used.${usageColumns[sortBy]}`
  return sql`${after === undefined ? nothing : sql`WHERE (${column}, used.id) < (${after.value}::bigint, ${after.id})`}
    ORDER BY ${column} DESC, used.id DESC LIMIT ${limit + 1}`
}

async function selectPlans(client: ClientBase, more: Sql): Promise<CountedPlan[]> {
  const rows = await queryRows<Omit<CountedPlan, 'limits'> & { limits: unknown }>(
    client,
    sql`SELECT plans.id, plans.title, plans.limits,
        (SELECT count(*) FROM workspaces WHERE plan_id = plans.id) AS "workspaceCount"
      FROM plans WHERE (SELECT flamegate_administers()) ${more}`,
  )
  return rows.map((row) => ({ ...row, limits: planLimitsSchema.parse(row.limits) }))
}

/** Here `flamegate_auth` could do more than policies keep it from, such as ending sessions. */
async function mustAdministerAll(client: ClientBase): Promise<void> {
  const [asked] = await queryRows<{ may: boolean }>(client, sql`SELECT flamegate_administers() AS may`)
  if (asked?.may !== true) throw new NotPermitted()
}

function selectPeople(client: ClientBase, more: Sql): Promise<Person[]> {
  return queryRows(
    client,
    sql`SELECT users.id, users.email, users.name, users.created_at AS "createdAt",
        users.email_verified_at AS "emailVerifiedAt", users.disabled_at AS "disabledAt",
        users.disabled_reason AS "disabledReason",
        EXISTS (SELECT FROM installation_admins WHERE user_id = users.id) AS "isInstallationAdmin",
        (SELECT count(*) FROM memberships WHERE user_id = users.id) AS "workspaceCount",
        (SELECT count(*) FROM sessions WHERE user_id = users.id AND expires_at > now()) AS "sessionCount"
      FROM users WHERE (SELECT flamegate_administers()) ${more}`,
  )
}

function selectTenants(client: ClientBase, more: Sql): Promise<Tenant[]> {
  return queryRows(
    client,
    sql`SELECT workspaces.id, workspaces.slug, workspaces.name, workspaces.plan_id AS plan,
        workspaces.created_at AS "createdAt", workspaces.deletes_at AS "deletesAt",
        (SELECT count(*) FROM memberships WHERE workspace_id = workspaces.id) AS "memberCount",
        (SELECT count(*) FROM projects WHERE workspace_id = workspaces.id) AS "projectCount",
        (SELECT coalesce(sum(size_bytes), 0)::bigint FROM files
          WHERE workspace_id = workspaces.id AND status = 'READY') AS "storageBytes"
      FROM workspaces WHERE (SELECT flamegate_administers()) ${more}`,
  )
}
