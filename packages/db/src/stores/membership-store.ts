import type { Role } from '@flamegate/contract'
import type { MembershipStore, UserDirectory } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { queryRows, sql } from '../sql.ts'

export function membershipStore(database: Database): MembershipStore {
  return {
    async rolesOf(userId) {
      const rows = await queryRows<{ workspace_id: string; role: Role }>(
        database.auth,
        sql`SELECT workspace_id, role FROM memberships WHERE user_id = ${userId} ORDER BY created_at, workspace_id`,
      )
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
