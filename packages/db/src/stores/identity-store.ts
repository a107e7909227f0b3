import type { Role } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import type {
  IdentityStore,
  MasterKeys,
  Membership,
  SecurityLog,
  Session,
  UnmailedInvitation,
  User,
} from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { watchRevocations } from '../revocations.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { watchVisibleChanges } from '../visible-changes.ts'
import { clientDocumentStore } from './client-document-store.ts'
import { accountStore } from './account-store.ts'
import { apiTokenProofs } from './api-token-proofs.ts'
import { dataKeyStore } from './data-key-store.ts'
import { keylessStore } from './keyless-store.ts'
import { grantStore } from './grant-store.ts'
import { oauthClientRegistry } from './oauth-client-registry.ts'
import { oauthKeys } from './oauth-keys.ts'
import { oauthRecords } from './oauth-records.ts'
import { scimEntrance } from './scim-entrance.ts'
import { ssoStore } from './sso-store.ts'

const userColumns = sql`id, email, name, password_hash AS "passwordHash", email_verified_at AS "emailVerifiedAt",
  created_at AS "createdAt", disabled_at AS "disabledAt"`
const selectUsers = sql`SELECT ${userColumns} FROM users`

/** People and what proves who they are, as `flamegate_auth`. */
export function identityStore(
  database: Database,
  securityLog: SecurityLog,
  masterKeys: MasterKeys,
): IdentityStore {
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
        const reserved = await queryRows(
          client,
          sql`SELECT FROM tickets WHERE purpose = 'undo_email_change' AND payload ->> 'email' = ${user.email}
            AND expires_at > now() LIMIT 1`,
        )
        if (reserved.length > 0) throw new Conflict('email')
        const [created] = await queryRows<User>(
          client,
          sql`INSERT INTO users (id, email, name, password_hash, email_verified_at)
            VALUES (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.emailVerifiedAt ?? null})
            RETURNING ${userColumns}`,
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

    acceptInvitation: (userId, invited) =>
      database.asAuth(async (client) => {
        const [invitation] = await queryRows<{ workspace_id: string; role: Role }>(
          client,
          sql`DELETE FROM invitations USING users
            WHERE ${
              'id' in invited
                ? sql`invitations.id = ${invited.id} AND users.email_verified_at IS NOT NULL`
                : sql`invitations.token_hash = ${invited.tokenHash}`
            } AND invitations.expires_at > now()
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

    takeUnmailedInvitations: () =>
      queryRows<UnmailedInvitation>(
        auth,
        sql`WITH taken AS (
            UPDATE invitations SET mailed_at = now() WHERE mailed_at IS NULL AND expires_at > now()
            RETURNING id, email, invited_by, created_at, expires_at
          )
          SELECT taken.id, taken.email, users.email AS "invitedBy", taken.expires_at AS "expiresAt"
          FROM taken JOIN users ON users.id = taken.invited_by ORDER BY taken.created_at, taken.id`,
      ),

    listMemberships: (userId) =>
      queryRows<Membership>(
        auth,
        sql`SELECT workspaces.id AS "workspaceId", workspaces.slug, workspaces.name, memberships.role
          FROM memberships JOIN workspaces ON workspaces.id = memberships.workspace_id
          WHERE memberships.user_id = ${userId} ORDER BY lower(workspaces.name), workspaces.id`,
      ),

    async createSession(session) {
      await execute(
        auth,
        sql`INSERT INTO sessions (token_hash, user_id, expires_at, user_agent, proved_at, sso_workspace_id)
          VALUES (${session.tokenHash}, ${session.userId}, ${session.expiresAt}, ${session.userAgent},
            ${session.provedAt ?? null}, ${session.ssoWorkspaceId ?? null})`,
      )
    },

    async findSession(tokenHash) {
      const [session] = await queryRows<Session>(
        auth,
        sql`SELECT sessions.user_id AS "userId", sessions.created_at AS "createdAt",
            sessions.expires_at AS "expiresAt", sessions.proved_at AS "provedAt"
          FROM sessions JOIN users ON users.id = sessions.user_id AND users.disabled_at IS NULL
          WHERE sessions.token_hash = ${tokenHash} AND sessions.expires_at > now()
            AND coalesce(flamegate_required_sso(users.id), sessions.sso_workspace_id, '')
              = coalesce(sessions.sso_workspace_id, '')`,
      )
      return session
    },

    async extendSession(tokenHash, expiresAt) {
      const extended = await execute(
        auth,
        sql`UPDATE sessions SET expires_at = ${expiresAt} WHERE token_hash = ${tokenHash} AND expires_at > now()`,
      )
      return extended > 0
    },

    async removeSession(tokenHash) {
      await execute(auth, sql`DELETE FROM sessions WHERE token_hash = ${tokenHash}`)
    },

    async noteProof(tokenHash) {
      await execute(auth, sql`UPDATE sessions SET proved_at = now() WHERE token_hash = ${tokenHash}`)
    },

    accounts: accountStore(database),
    sso: ssoStore(database),
    scim: scimEntrance(database),
    securityLog,

    ...apiTokenProofs(database),
    keyless: keylessStore(database),
    grants: grantStore(database),
    oauth: oauthRecords(database),
    oauthClients: oauthClientRegistry(database),
    clientDocuments: clientDocumentStore(database),
    ...oauthKeys((work) => database.asAuth(work), masterKeys),
    dataKeys: dataKeyStore((work) => database.asAuth(work), masterKeys),
    watchRevocations: (onRevoked) => watchRevocations(database, onRevoked),
    watchVisibleChanges: (catalogue, onChange) => watchVisibleChanges(database, catalogue, onChange),
  }
}
