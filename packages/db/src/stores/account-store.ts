import type { AccountStore, ListedSession } from '@flamegate/operations/ports'
import type { ClientBase, Pool } from 'pg'
import type { Database } from '../database.ts'
import { revokeGrant } from '../revocations.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { attemptStore } from './attempt-store.ts'
import { linkedSignInStore } from './linked-sign-in-store.ts'
import { passkeyStore } from './passkey-store.ts'
import { ticketStore } from './ticket-store.ts'
import { totpStore } from './totp-store.ts'

/** What people prove who they are with, as `flamegate_auth`. */
export function accountStore(database: Database): AccountStore {
  const { auth } = database

  return {
    tickets: ticketStore(database),
    passkeys: passkeyStore(database),
    totp: totpStore(database),
    linkedSignIns: linkedSignInStore(database),
    attempts: attemptStore(database),

    async rename(userId, name) {
      await execute(auth, sql`UPDATE users SET name = ${name} WHERE id = ${userId}`)
    },

    setPassword: (userId, passwordHash, keepTokenHash) =>
      database.asAuth(async (client) => {
        await holdSessions(client, userId)
        await execute(client, sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}`)
        await execute(
          client,
          sql`DELETE FROM tickets WHERE user_id = ${userId}
            AND purpose IN ('reset_password', 'verify_email', 'second_factor')`,
        )
        await removeSessions(client, userId, keepTokenHash)
      }),

    async confirmEmail(userId) {
      await execute(
        auth,
        sql`UPDATE users SET email_verified_at = now() WHERE id = ${userId} AND email_verified_at IS NULL`,
      )
    },

    claim: (userId, { passwordHash, name = null }) =>
      database.asAuth(async (client) => {
        await holdSessions(client, userId)
        const claimed = await execute(
          client,
          sql`UPDATE users SET email_verified_at = now(), password_hash = ${passwordHash}, name = coalesce(${name}, name)
            WHERE id = ${userId} AND email_verified_at IS NULL`,
        )
        if (claimed === 0) return false
        await removeProofs(client, userId, new Date(0))
        return true
      }),

    changeEmail: (userId, from, to) =>
      database.asAuth(async (client) => {
        const released = await queryRows<{ id: string }>(
          client,
          sql`UPDATE users SET email = lower(id) || ${addressOfNobody} WHERE email = ${to} AND email_verified_at IS NULL
            AND EXISTS (SELECT FROM users AS owners WHERE owners.id = ${userId} AND owners.email = ${from})
            RETURNING id`,
        )
        await execute(
          client,
          sql`DELETE FROM tickets WHERE user_id = ANY (${released.map(({ id }) => id)}::text[])
            AND purpose IN ('reset_password', 'verify_email')`,
        )
        const changed = await execute(
          client,
          sql`UPDATE users SET email = ${to}, email_verified_at = now() WHERE id = ${userId} AND email = ${from}`,
        )
        return changed > 0
      }),

    restoreEmail: (userId, email, since) =>
      database.asAuth(async (client) => {
        await execute(
          client,
          sql`UPDATE users SET email = ${email}, email_verified_at = now(), password_hash = NULL WHERE id = ${userId}`,
        )
        await removeProofs(client, userId, since)
      }),

    async revokeGrants(userId) {
      await database.asAuth((client) => revokeGrants(client, userId, new Date(0)))
    },

    listSessions: (userId) =>
      queryRows<ListedSession>(
        auth,
        sql`SELECT token_hash AS "tokenHash", created_at AS "createdAt", expires_at AS "expiresAt",
            user_agent AS "userAgent"
          FROM sessions WHERE user_id = ${userId} AND expires_at > now() ORDER BY created_at DESC, token_hash`,
      ),

    async removeSessions(userId, keepTokenHash) {
      await removeSessions(auth, userId, keepTokenHash)
    },
  }
}

/** Of accounts whose address went to its owner; RFC 2606 keeps the name from ever being somebody's. */
const addressOfNobody = '@released.invalid'

/** A session that begins meanwhile refers to this row: it waits, and then finds that the password is another. */
async function holdSessions(client: ClientBase, userId: string): Promise<void> {
  await queryRows(client, sql`SELECT FROM users WHERE id = ${userId} FOR UPDATE`)
}

/** Ends sessions, and tells how many. */
export async function removeSessions(
  connection: ClientBase | Pool,
  userId: string,
  keepTokenHash = '',
): Promise<number> {
  return execute(
    connection,
    sql`DELETE FROM sessions WHERE user_id = ${userId} AND token_hash <> ${keepTokenHash}`,
  )
}

/** Takes away what proves to be this person: sessions and tickets, and all else that there is since then. */
async function removeProofs(client: ClientBase, userId: string, since: Date): Promise<void> {
  await execute(client, sql`DELETE FROM tickets WHERE user_id = ${userId}`)
  await execute(client, sql`DELETE FROM sessions WHERE user_id = ${userId}`)
  await execute(client, sql`DELETE FROM passkeys WHERE user_id = ${userId} AND created_at >= ${since}`)
  await execute(client, sql`DELETE FROM linked_sign_ins WHERE user_id = ${userId} AND created_at >= ${since}`)
  const ended = await execute(
    client,
    sql`DELETE FROM totp_secrets WHERE user_id = ${userId} AND coalesce(confirmed_at, now()) >= ${since}`,
  )
  if (ended > 0) await execute(client, sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`)
  await execute(
    client,
    sql`UPDATE api_tokens SET revoked_at = now()
      WHERE user_id = ${userId} AND revoked_at IS NULL AND created_at >= ${since}`,
  )
  await revokeGrants(client, userId, since)
}

/** Ends the connected apps that came since then, and tells how many. */
export async function revokeGrants(client: ClientBase, userId: string, since: Date): Promise<number> {
  const grants = await queryRows<{ grant_id: string }>(
    client,
    sql`SELECT grant_id FROM oauth_grants WHERE user_id = ${userId} AND created_at >= ${since} FOR UPDATE`,
  )
  for (const { grant_id } of grants) await revokeGrant(client, grant_id)
  return grants.length
}
