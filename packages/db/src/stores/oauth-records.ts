import type { IdentityStore, OAuthRecord } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { revokeGrant } from '../revocations.ts'
import { execute, queryRows, sql, type Sql } from '../sql.ts'
import { storableJson } from '../storable.ts'

/** RFC 8628, 3.2 and 3.5. */
const pollStepSeconds = 5
/** Networks are late at times, and then not: an interval may look shorter than it was. */
const pollSlackSeconds = 1

/** oidc-provider's storage: https://github.com/panva/node-oidc-provider/blob/main/example/my_adapter.js */
export function oauthRecords(database: Database): IdentityStore['oauth'] {
  const { auth } = database

  async function findWhere(model: string, condition: Sql): Promise<OAuthRecord | undefined> {
    const [record] = await queryRows<OAuthRecord>(
      auth,
      sql`SELECT payload, expires_at AS "expiresAt",
          (extract(epoch FROM now() - consumed_at) * 1000)::double precision AS "consumedMsAgo"
        FROM oauth_records WHERE model = ${model} AND ${condition} LIMIT 1`,
    )
    return record
  }

  type NewRecord = Parameters<IdentityStore['oauth']['upsert']>[2]
  const insert = (model: string, id: string, record: NewRecord) =>
    sql`INSERT INTO oauth_records (model, id, payload, grant_id, user_code, uid, account_id, expires_at)
      VALUES (${model}, ${id}, ${storableJson(record.payload)}, ${record.grantId ?? null},
        ${record.userCode ?? null}, ${record.uid ?? null}, ${record.accountId ?? null}, ${record.expiresAt ?? null})`

  return {
    async upsert(model, id, record) {
      await execute(
        auth,
        sql`${insert(model, id, record)}
          ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
            user_code = excluded.user_code, uid = excluded.uid, account_id = excluded.account_id,
            expires_at = excluded.expires_at`,
      )
    },

    async add(model, id, record) {
      const added = await execute(auth, sql`${insert(model, id, record)} ON CONFLICT (model, id) DO NOTHING`)
      return added > 0
    },

    find: (model, id) => findWhere(model, sql`id = ${id}`),
    findByUid: (model, uid) => findWhere(model, sql`uid = ${uid}`),
    findByUserCode: (model, userCode) => findWhere(model, sql`user_code = ${userCode}`),

    // The first time counts: a refresh token may be sent twice within its grace.
    async consume(model, id) {
      const consumed = await execute(
        auth,
        sql`UPDATE oauth_records SET consumed_at = now() WHERE model = ${model} AND id = ${id} AND consumed_at IS NULL`,
      )
      return consumed > 0
    },

    async notePoll(id) {
      const [poll] = await queryRows<{ isTooSoon: boolean }>(
        auth,
        sql`WITH before AS (
            SELECT coalesce((payload ->> 'pollIntervalSeconds')::int, ${pollStepSeconds}::int) AS seconds,
              (payload ->> 'polledAt')::double precision AS at
            FROM oauth_records WHERE model = 'DeviceCode' AND id = ${id} FOR UPDATE
          ), poll AS (
            SELECT seconds, extract(epoch FROM clock_timestamp()) AS now,
              coalesce(extract(epoch FROM clock_timestamp()) - at < seconds - ${pollSlackSeconds}::int, false) AS is_too_soon
            FROM before
          )
          UPDATE oauth_records SET payload = payload || jsonb_build_object('polledAt', now,
            'pollIntervalSeconds', CASE WHEN is_too_soon THEN seconds + ${pollStepSeconds}::int ELSE seconds END)
          FROM poll WHERE model = 'DeviceCode' AND id = ${id}
          RETURNING is_too_soon AS "isTooSoon"`,
      )
      return poll?.isTooSoon !== true
    },

    async destroy(model, id) {
      await execute(auth, sql`DELETE FROM oauth_records WHERE model = ${model} AND id = ${id}`)
    },

    revokeGrant: (grantId) => database.asAuth((client) => revokeGrant(client, grantId)),

    async noteGrant(grant) {
      await execute(
        auth,
        sql`INSERT INTO oauth_grants
            (grant_id, user_id, client_id, client_name, verified_domain, scopes, choices)
          VALUES (${grant.id}, ${grant.userId}, ${grant.clientId}, ${grant.clientName}, ${grant.verifiedDomain},
            ${grant.scopes}, ${JSON.stringify(grant.choices)})
          ON CONFLICT (grant_id) DO UPDATE SET client_name = excluded.client_name,
            verified_domain = excluded.verified_domain, scopes = excluded.scopes, choices = excluded.choices`,
      )
    },

    async noteUse(grantId, calls, at) {
      await execute(
        auth,
        sql`UPDATE oauth_grants SET calls = calls + ${calls}, last_used_at = greatest(last_used_at, ${at})
          WHERE grant_id = ${grantId}`,
      )
    },
  }
}
