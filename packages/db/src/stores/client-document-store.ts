import type { ClientDocument, ClientDocumentStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'

/** What clients publish about themselves, as it was last fetched. */
export function clientDocumentStore({ auth }: Database): ClientDocumentStore {
  return {
    async find(url) {
      const [document] = await queryRows<ClientDocument>(
        auth,
        sql`SELECT body, fetched_at AS "fetchedAt", fresh_until AS "freshUntil" FROM oauth_client_documents
          WHERE url = ${url}`,
      )
      return document
    },

    async keep(url, { body, freshUntil }) {
      await execute(
        auth,
        sql`INSERT INTO oauth_client_documents (url, body, fresh_until) VALUES (${url}, ${body}, ${freshUntil})
          ON CONFLICT (url) DO UPDATE SET body = excluded.body, fetched_at = now(), fresh_until = excluded.fresh_until`,
      )
    },
  }
}
