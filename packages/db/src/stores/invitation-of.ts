import { sql, type Sql } from '../sql.ts'

/**
 * Removes the invitation of a person to a workspace, by their address: one that outlives how they came in or were removed would
 * let them back in.
 */
export function removeInvitationOf(workspaceId: string, userId: string): Sql {
  return sql`DELETE FROM invitations USING users
    WHERE invitations.workspace_id = ${workspaceId} AND users.id = ${userId} AND users.email = invitations.email`
}
