import { roleSchema } from '@flamegate/contract'
import { Conflict, type Member, type Workspace, type WorkspaceStore } from '@flamegate/operations/ports'
import type { Database, Transaction } from '../database.ts'
import { mustAdminister } from '../row-scope.ts'
import { queryRows, sql } from '../sql.ts'
import { removeInvitationOf } from './invitation-of.ts'
import { workspaceColumns, workspaceLife } from './workspace-life.ts'

const invitationColumns = {
  id: true,
  email: true,
  role: true,
  invitedBy: true,
  createdAt: true,
  expiresAt: true,
} as const

const memberColumns = {
  userId: true,
  role: true,
  createdAt: true,
  user: { select: { email: true, name: true } },
} as const

type MemberRow = { userId: string; role: string; createdAt: Date; user: { email: string; name: string } }

export function workspaceStore(database: Database): WorkspaceStore {
  return {
    ...workspaceLife(database),

    list: (caller) =>
      database.asCallerSql(caller, async (client) => {
        const workspaces = await queryRows<Workspace>(
          client,
          sql`SELECT ${workspaceColumns} FROM workspaces ORDER BY name, id`,
        )
        return workspaces.flatMap((workspace) => {
          const role = caller.roles.get(workspace.id)
          return role === undefined ? [] : [{ ...workspace, role }]
        })
      }),

    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [workspace] = await queryRows<Workspace>(
          client,
          sql`SELECT ${workspaceColumns} FROM workspaces WHERE id = ${id}`,
        )
        return workspace
      }),

    listMembers: (caller, workspaceId) =>
      database.asCaller(caller, async (transaction) => {
        const rows = await transaction.membership.findMany({
          where: { workspaceId },
          select: memberColumns,
          orderBy: { user: { email: 'asc' } },
        })
        return rows.map(toMember)
      }),

    listInvitations: (caller, workspaceId) =>
      database.asCaller(caller, async (transaction) => {
        const rows = await transaction.invitation.findMany({
          where: { workspaceId, expiresAt: { gt: new Date() } },
          select: invitationColumns,
          orderBy: { email: 'asc' },
        })
        return rows.map((row) => ({ ...row, role: roleSchema.parse(row.role) }))
      }),

    setRole: (caller, workspaceId, userId, role) =>
      database.asCaller(caller, async (transaction) => {
        const member = await findMember(transaction, workspaceId, userId)
        if (!member) return undefined
        mustAdminister(caller, workspaceId)
        if (role !== 'owner') await keepAnOwner(transaction, workspaceId, userId)
        const changed = await transaction.membership.update({
          where: { workspaceId_userId: { workspaceId, userId } },
          data: { role },
          select: memberColumns,
        })
        return toMember(changed)
      }),

    removeMember: (caller, workspaceId, userId) =>
      database.asCaller(caller, async (transaction) => {
        if (!(await findMember(transaction, workspaceId, userId))) return false
        mustAdminister(caller, workspaceId)
        await keepAnOwner(transaction, workspaceId, userId)
        // Their tokens stop working without a membership; revoked, they stay dead if they are invited again.
        await transaction.apiToken.updateMany({
          where: { workspaceId, userId, revokedAt: null },
          data: { revokedAt: new Date() },
        })
        // Before the membership goes: addresses of others are not seen.
        await transaction.$executeRaw(removeInvitationOf(workspaceId, userId))
        await transaction.membership.deleteMany({ where: { workspaceId, userId } })
        return true
      }),

    invite: (caller, workspaceId, { id, email, role, tokenHash, expiresAt }) =>
      database.asCaller(caller, async (transaction) => {
        const terms = {
          role,
          tokenHash,
          expiresAt,
          invitedBy: caller.principal.userId,
          createdAt: new Date(),
          // To be mailed, also if an earlier one was.
          mailedAt: null,
        }
        const row = await transaction.invitation.upsert({
          where: { workspaceId_email: { workspaceId, email } },
          create: { id, workspaceId, email, ...terms },
          update: terms,
          select: invitationColumns,
        })
        return { ...row, role: roleSchema.parse(row.role) }
      }),

    removeInvitation: (caller, workspaceId, email) =>
      database.asCaller(caller, async (transaction) => {
        const found = await transaction.invitation.findFirst({
          where: { workspaceId, email },
          select: { id: true },
        })
        if (!found) return false
        mustAdminister(caller, workspaceId)
        const { count } = await transaction.invitation.deleteMany({ where: { workspaceId, email } })
        return count > 0
      }),

    usage: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const [counts] = await queryRows<Awaited<ReturnType<WorkspaceStore['usage']>>>(
          client,
          sql`SELECT
            (SELECT count(*) FROM projects WHERE workspace_id = ${workspaceId}) AS projects,
            (SELECT count(*) FROM runs WHERE workspace_id = ${workspaceId}) AS runs,
            (SELECT coalesce(sum(result_count), 0)::bigint FROM runs WHERE workspace_id = ${workspaceId}) AS results,
            (SELECT count(*) FROM profiles WHERE workspace_id = ${workspaceId}) AS profiles,
            (SELECT coalesce(sum(size_bytes), 0)::bigint FROM files
              WHERE workspace_id = ${workspaceId} AND status = 'READY') AS "storageBytes",
            (SELECT count(*) FROM memberships WHERE workspace_id = ${workspaceId}) AS members`,
        )
        if (!counts) throw new Error('A SELECT without FROM gives one row')
        return counts
      }),
  }
}

function findMember(
  transaction: Transaction,
  workspaceId: string,
  userId: string,
): Promise<{ userId: string } | null> {
  return transaction.membership.findFirst({ where: { workspaceId, userId }, select: { userId: true } })
}

/** Refuses when the person is the only owner. The owners' rows stay locked, so that two cannot leave at once. */
async function keepAnOwner(transaction: Transaction, workspaceId: string, userId: string): Promise<void> {
  const owners = await transaction.$queryRaw<{ user_id: string }[]>`
    SELECT user_id FROM memberships WHERE workspace_id = ${workspaceId} AND role = 'owner' ORDER BY user_id FOR UPDATE`
  if (owners.length === 1 && owners[0]?.user_id === userId) throw new Conflict('role')
}

function toMember({ userId, role, createdAt, user }: MemberRow): Member {
  return { userId, email: user.email, name: user.name, role: roleSchema.parse(role), joinedAt: createdAt }
}
