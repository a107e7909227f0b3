import type { Totp, TotpStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'

export function totpStore(database: Database): TotpStore {
  const { auth } = database
  return {
    async find(userId) {
      const [totp] = await queryRows<Totp>(
        auth,
        sql`SELECT sealed_secret AS "sealedSecret", confirmed_at AS "confirmedAt" FROM totp_secrets
          WHERE user_id = ${userId}`,
      )
      return totp
    },

    async begin(userId, sealedSecret) {
      const begun = await execute(
        auth,
        sql`INSERT INTO totp_secrets (user_id, sealed_secret) VALUES (${userId}, ${sealedSecret})
          ON CONFLICT (user_id) DO UPDATE SET sealed_secret = EXCLUDED.sealed_secret, last_step = 0
            WHERE totp_secrets.confirmed_at IS NULL`,
      )
      return begun > 0
    },

    async confirm(userId, recoveryCodeHashes) {
      await database.asAuth(async (client) => {
        await execute(
          client,
          sql`UPDATE totp_secrets SET confirmed_at = now() WHERE user_id = ${userId} AND confirmed_at IS NULL`,
        )
        await putRecoveryCodes(client, userId, recoveryCodeHashes)
      })
    },

    async takeStep(userId, step) {
      const taken = await execute(
        auth,
        sql`UPDATE totp_secrets SET last_step = ${step} WHERE user_id = ${userId} AND last_step < ${step}`,
      )
      return taken > 0
    },

    async countRecoveryCodes(userId) {
      const [row] = await queryRows<{ count: number }>(
        auth,
        sql`SELECT count(*) AS count FROM recovery_codes WHERE user_id = ${userId}`,
      )
      return row?.count ?? 0
    },

    async takeRecoveryCode(userId, codeHash) {
      const taken = await execute(
        auth,
        sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND code_hash = ${codeHash}`,
      )
      return taken > 0
    },

    async replaceRecoveryCodes(userId, codeHashes) {
      await database.asAuth((client) => putRecoveryCodes(client, userId, codeHashes))
    },

    async remove(userId) {
      await database.asAuth(async (client) => {
        await execute(client, sql`DELETE FROM totp_secrets WHERE user_id = ${userId}`)
        await execute(client, sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`)
      })
    },
  }
}

/** In place of those that were there. */
async function putRecoveryCodes(
  client: ClientBase,
  userId: string,
  codeHashes: readonly string[],
): Promise<void> {
  await execute(client, sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`)
  await execute(
    client,
    sql`INSERT INTO recovery_codes (user_id, code_hash)
      SELECT ${userId}, code_hash FROM unnest(${[...codeHashes]}::text[]) AS code_hash`,
  )
}
