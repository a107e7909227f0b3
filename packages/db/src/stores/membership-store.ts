import type { Role } from '@flamegate/contract'
import type { MembershipStore, UserDirectory } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { ofLook } from '../database-errors.ts'
import { queryRows, sql } from '../sql.ts'

export function membershipStore(database: Database): MembershipStore {
  return {
    async rolesOf(userId) {
      const rows = await queryRows<{ workspace_id: string; role: Role }>(
        database.auth,
        // Nothing changes in a workspace that is going to be deleted, and who is disabled is nowhere.
        sql`SELECT memberships.workspace_id,
            CASE WHEN workspaces.deletes_at IS NULL THEN memberships.role ELSE 'viewer' END AS role
          FROM memberships
            JOIN workspaces ON workspaces.id = memberships.workspace_id
            JOIN users ON users.id = memberships.user_id AND users.disabled_at IS NULL
          WHERE memberships.user_id = ${userId} ORDER BY memberships.created_at, memberships.workspace_id`,
      ).catch((error: unknown) => {
        // It is the first look of nearly every call, and is to tell who calls that they may try again.
        throw ofLook(error)
      })
      return new Map(rows.map((row) => [row.workspace_id, row.role]))
    },
  }
}

export function userDirectory(database: Database): UserDirectory {
  return {
    async findUser(userId) {
      const [user] = await queryRows<NonNullable<Awaited<ReturnType<UserDirectory['findUser']>>>>(
        database.auth,
        sql`SELECT id, email, name, email_verified_at AS "emailVerifiedAt" FROM users WHERE id = ${userId}`,
      )
      return user
    },
  }
}
