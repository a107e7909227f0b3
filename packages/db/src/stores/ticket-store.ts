import type { Ticket, TicketStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableJson } from '../storable.ts'

export function ticketStore({ auth }: Database): TicketStore {
  return {
    async add({ secretHash, purpose, userId, payload, expiresAt }) {
      await execute(
        auth,
        sql`INSERT INTO tickets (secret_hash, purpose, user_id, payload, expires_at)
          VALUES (${secretHash}, ${purpose}, ${userId}, ${storableJson(payload)}, ${expiresAt})`,
      )
    },

    async find(secretHash, purpose) {
      const [ticket] = await queryRows<Ticket>(
        auth,
        sql`SELECT user_id AS "userId", payload FROM tickets
          WHERE secret_hash = ${secretHash} AND purpose = ${purpose} AND expires_at > now()`,
      )
      return ticket
    },

    async take(secretHash, purpose) {
      const [ticket] = await queryRows<Ticket>(
        auth,
        sql`DELETE FROM tickets
          WHERE secret_hash = ${secretHash} AND purpose = ${purpose} AND expires_at > now()
          RETURNING user_id AS "userId", payload`,
      )
      return ticket
    },

    async discard(userId, purpose) {
      await execute(auth, sql`DELETE FROM tickets WHERE user_id = ${userId} AND purpose = ${purpose}`)
    },
  }
}
