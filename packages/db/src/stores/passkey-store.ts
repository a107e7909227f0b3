import type { Passkey, PasskeyStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'

const columns = sql`id, user_id AS "userId", name, public_key AS "publicKey", counter, transports,
  is_backup_eligible AS "isBackupEligible", is_backed_up AS "isBackedUp", created_at AS "createdAt",
  last_used_at AS "lastUsedAt"`

export function passkeyStore(database: Database): PasskeyStore {
  const { auth } = database
  return {
    async find(id) {
      const [passkey] = await queryRows<Passkey>(auth, sql`SELECT ${columns} FROM passkeys WHERE id = ${id}`)
      return passkey
    },

    list: (userId) =>
      queryRows<Passkey>(
        auth,
        sql`SELECT ${columns} FROM passkeys WHERE user_id = ${userId} ORDER BY created_at, id`,
      ),

    add: (passkey) =>
      database.asAuth(async (client) => {
        const [added] = await queryRows<Passkey>(
          client,
          sql`INSERT INTO passkeys (id, user_id, name, public_key, counter, transports, is_backup_eligible,
              is_backed_up)
            VALUES (${passkey.id}, ${passkey.userId}, ${passkey.name}, ${Buffer.from(passkey.publicKey)},
              ${passkey.counter}, ${passkey.transports}, ${passkey.isBackupEligible}, ${passkey.isBackedUp})
            RETURNING ${columns}`,
        )
        if (!added) throw new Error('INSERT … RETURNING gives the row')
        return added
      }),

    async noteUse(id, { counter, isBackedUp }) {
      await execute(
        auth,
        sql`UPDATE passkeys SET counter = ${counter}, is_backed_up = ${isBackedUp}, last_used_at = now()
          WHERE id = ${id}`,
      )
    },

    async remove(userId, id) {
      return (await execute(auth, sql`DELETE FROM passkeys WHERE id = ${id} AND user_id = ${userId}`)) > 0
    },
  }
}
