import { Conflict, type SsoConnection, type SsoStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql, type Sql } from '../sql.ts'
import { removeInvitationOf } from './invitation-of.ts'

/** How people come in by providers of workspaces, as `flamegate_auth`. */
export function ssoStore(database: Database): SsoStore {
  const { auth } = database

  async function findWhere(condition: Sql): Promise<SsoConnection | undefined> {
    const [found] = await queryRows<SsoConnection>(
      auth,
      sql`SELECT workspaces.slug, workspace_id AS "workspaceId", issuer, client_id AS "clientId",
          sealed_client_secret AS "sealedClientSecret", default_role AS "defaultRole"
        FROM workspace_sso JOIN workspaces ON workspaces.id = workspace_sso.workspace_id AND deletes_at IS NULL
        WHERE ${condition}`,
    )
    return found
  }

  return {
    find: (workspaceId) => findWhere(sql`workspace_id = ${workspaceId}`),
    findBySlug: (slug) => findWhere(sql`workspaces.slug = ${slug}`),
    findByDomain: (domain) =>
      findWhere(sql`workspace_id =
        (SELECT workspace_id FROM sso_domains WHERE domain = ${domain} AND verified_at IS NOT NULL)`),
    findRequired: (userId) => findWhere(sql`workspace_id = (SELECT flamegate_required_sso(${userId}))`),

    async isInUse() {
      const found = await queryRows(auth, sql`SELECT FROM workspace_sso LIMIT 1`)
      return found.length > 0
    },

    async hasDomain(workspaceId, domain) {
      const found = await queryRows(
        auth,
        sql`SELECT FROM sso_domains
          WHERE workspace_id = ${workspaceId} AND domain = ${domain} AND verified_at IS NOT NULL`,
      )
      return found.length > 0
    },

    async findPerson({ workspaceId, issuer, subject }) {
      const [found] = await queryRows<{ userId: string }>(
        auth,
        sql`SELECT user_id AS "userId" FROM sso_identities
          WHERE workspace_id = ${workspaceId} AND issuer = ${issuer} AND subject = ${subject}`,
      )
      return found?.userId
    },

    join: ({ workspaceId, issuer, subject, userId, role }) =>
      database.asAuth(async (client) => {
        // Who is a member already keeps the role they have.
        const added = await execute(
          client,
          sql`INSERT INTO memberships (workspace_id, user_id, role) VALUES (${workspaceId}, ${userId}, ${role})
            ON CONFLICT (workspace_id, user_id) DO NOTHING`,
        )
        await execute(
          client,
          sql`INSERT INTO sso_identities (workspace_id, issuer, subject, user_id)
            VALUES (${workspaceId}, ${issuer}, ${subject}, ${userId})
            ON CONFLICT (workspace_id, issuer, subject) DO NOTHING`,
        )
        const [known] = await queryRows<{ userId: string }>(
          client,
          sql`SELECT user_id AS "userId" FROM sso_identities
            WHERE workspace_id = ${workspaceId} AND issuer = ${issuer} AND subject = ${subject}`,
        )
        if (known?.userId !== userId) throw new Conflict('subject')
        await execute(client, removeInvitationOf(workspaceId, userId))
        await execute(
          client,
          sql`UPDATE workspace_sso SET worked_at = now() WHERE workspace_id = ${workspaceId} AND issuer = ${issuer}`,
        )
        return { hasJoined: added > 0 }
      }),

    async letsIn(userId) {
      const found = await queryRows(
        auth,
        sql`SELECT FROM sso_identities
            JOIN workspace_sso USING (workspace_id, issuer)
            JOIN users ON users.id = sso_identities.user_id
            JOIN sso_domains ON sso_domains.workspace_id = sso_identities.workspace_id
              AND domain = split_part(users.email, '@', -1) COLLATE "C" AND verified_at IS NOT NULL
          WHERE sso_identities.user_id = ${userId} LIMIT 1`,
      )
      return found.length > 0
    },
  }
}
