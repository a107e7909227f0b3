import type { Role } from '@flamegate/contract'
import type { IdentityStore, Session, User } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { watchRevocations } from '../revocations.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { oauthKeys } from './oauth-keys.ts'
import { oauthRecords } from './oauth-records.ts'

const selectUsers = sql`SELECT id, email, name, password_hash AS "passwordHash", created_at AS "createdAt" FROM users`

type ApiTokenProof = NonNullable<Awaited<ReturnType<IdentityStore['findApiToken']>>>

/** People and what proves who they are, as `flamegate_auth`. */
export function identityStore(database: Database): IdentityStore {
  const { auth } = database
  return {
    async findUserByEmail(email) {
      const [user] = await queryRows<User>(auth, sql`${selectUsers} WHERE email = ${email}`)
      return user
    },

    async findUser(id) {
      const [user] = await queryRows<User>(auth, sql`${selectUsers} WHERE id = ${id}`)
      return user
    },

    createUser: (user, workspace) =>
      database.asAuth(async (client) => {
        const [created] = await queryRows<User>(
          client,
          sql`INSERT INTO users (id, email, name, password_hash)
            VALUES (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash})
            RETURNING id, email, name, password_hash AS "passwordHash", created_at AS "createdAt"`,
        )
        await execute(
          client,
          sql`INSERT INTO workspaces (id, slug, name) VALUES (${workspace.id}, ${workspace.slug}, ${workspace.name})`,
        )
        await execute(
          client,
          sql`INSERT INTO memberships (workspace_id, user_id, role) VALUES (${workspace.id}, ${user.id}, 'owner')`,
        )
        if (!created) throw new Error('INSERT … RETURNING gives the row')
        return created
      }),

    acceptInvitation: (userId, tokenHash) =>
      database.asAuth(async (client) => {
        const [invitation] = await queryRows<{ workspace_id: string; role: Role }>(
          client,
          sql`DELETE FROM invitations USING users
            WHERE invitations.token_hash = ${tokenHash} AND invitations.expires_at > now()
              AND users.id = ${userId} AND users.email = invitations.email
            RETURNING invitations.workspace_id, invitations.role`,
        )
        if (!invitation) return undefined
        // Who is a member already keeps the role they have.
        await execute(
          client,
          sql`INSERT INTO memberships (workspace_id, user_id, role)
            VALUES (${invitation.workspace_id}, ${userId}, ${invitation.role})
            ON CONFLICT (workspace_id, user_id) DO NOTHING`,
        )
        const [membership] = await queryRows<{ role: Role }>(
          client,
          sql`SELECT role FROM memberships WHERE workspace_id = ${invitation.workspace_id} AND user_id = ${userId}`,
        )
        return { workspaceId: invitation.workspace_id, role: membership?.role ?? invitation.role }
      }),

    async createSession(session) {
      await execute(
        auth,
        sql`INSERT INTO sessions (token_hash, user_id, expires_at, user_agent)
          VALUES (${session.tokenHash}, ${session.userId}, ${session.expiresAt}, ${session.userAgent})`,
      )
    },

    async findSession(tokenHash) {
      const [session] = await queryRows<Session>(
        auth,
        sql`SELECT user_id AS "userId", created_at AS "createdAt", expires_at AS "expiresAt" FROM sessions
          WHERE token_hash = ${tokenHash} AND expires_at > now()`,
      )
      return session
    },

    async removeSession(tokenHash) {
      await execute(auth, sql`DELETE FROM sessions WHERE token_hash = ${tokenHash}`)
    },

    async findApiToken(tokenHash) {
      // A token is worth what its owner is: nothing without a membership.
      const [token] = await queryRows<ApiTokenProof & { isUseStale: boolean }>(
        auth,
        sql`SELECT api_tokens.id, api_tokens.name, api_tokens.user_id AS "userId",
            api_tokens.workspace_id AS "workspaceId", api_tokens.scopes, api_tokens.expires_at AS "expiresAt",
            coalesce(api_tokens.last_used_at < now() - interval '1 minute', true) AS "isUseStale"
          FROM api_tokens JOIN memberships USING (workspace_id, user_id)
          WHERE api_tokens.token_hash = ${tokenHash} AND api_tokens.revoked_at IS NULL
            AND (api_tokens.expires_at IS NULL OR api_tokens.expires_at > now())`,
      )
      if (!token) return undefined
      const { isUseStale, ...proof } = token
      if (isUseStale)
        await execute(auth, sql`UPDATE api_tokens SET last_used_at = now() WHERE token_hash = ${tokenHash}`)
      return proof
    },

    oauth: oauthRecords(database),
    keys: oauthKeys(database),
    watchRevocations: (onRevoked) => watchRevocations(database, onRevoked),
  }
}
