import type { GrantChoices, GrantStore, VersionedChoices } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'

/** What people chose for the clients that act for them, as `flamegate_auth`: every query says whose, or which. */
export function grantStore({ auth }: Database): GrantStore {
  return {
    async findChoices(userId, grantId) {
      const [grant] = await queryRows<{ choices: GrantChoices }>(
        auth,
        sql`SELECT choices FROM oauth_grants WHERE grant_id = ${grantId} AND user_id = ${userId}`,
      )
      return grant?.choices
    },

    async findVersionedChoices(userId, grantId) {
      const [grant] = await queryRows<VersionedChoices>(
        auth,
        sql`SELECT choices, choices_version AS version FROM oauth_grants
          WHERE grant_id = ${grantId} AND user_id = ${userId}`,
      )
      return grant
    },

    async findLatestChoices(userId, clientId) {
      const [grant] = await queryRows<{ choices: GrantChoices }>(
        auth,
        sql`SELECT choices FROM oauth_grants WHERE user_id = ${userId} AND client_id = ${clientId}
          ORDER BY created_at DESC LIMIT 1`,
      )
      return grant?.choices
    },

    async changeChoices(userId, grantId, choices) {
      const changed = await execute(
        auth,
        sql`UPDATE oauth_grants SET choices = ${JSON.stringify(choices)}
          WHERE grant_id = ${grantId} AND user_id = ${userId}`,
      )
      return changed > 0
    },

    listWorkspaces: (userId) =>
      queryRows<{ id: string; name: string }>(
        auth,
        sql`SELECT workspaces.id, workspaces.name
          FROM memberships JOIN workspaces ON workspaces.id = memberships.workspace_id
          WHERE memberships.user_id = ${userId} ORDER BY lower(workspaces.name), workspaces.id`,
      ),
  }
}
