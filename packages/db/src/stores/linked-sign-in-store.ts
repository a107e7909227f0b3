import type { LinkedSignIn, LinkedSignInStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'

const select = sql`SELECT issuer, subject, user_id AS "userId", email, created_at AS "createdAt"
  FROM linked_sign_ins`

export function linkedSignInStore(database: Database): LinkedSignInStore {
  const { auth } = database
  return {
    async find(issuer, subject) {
      const [link] = await queryRows<LinkedSignIn>(
        auth,
        sql`${select} WHERE issuer = ${issuer} AND subject = ${subject}`,
      )
      return link
    },

    list: (userId) =>
      queryRows<LinkedSignIn>(auth, sql`${select} WHERE user_id = ${userId} ORDER BY created_at, issuer`),

    async add({ issuer, subject, userId, email }) {
      await database.asAuth((client) =>
        execute(
          client,
          sql`INSERT INTO linked_sign_ins (issuer, subject, user_id, email)
            VALUES (${issuer}, ${subject}, ${userId}, ${email})`,
        ),
      )
    },

    async remove(userId, issuer) {
      const removed = await execute(
        auth,
        sql`DELETE FROM linked_sign_ins WHERE user_id = ${userId} AND issuer = ${issuer}`,
      )
      return removed > 0
    },
  }
}
