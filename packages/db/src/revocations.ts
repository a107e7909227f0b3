import { Client } from 'pg'
import type { ClientBase } from 'pg'
import { connectOptions } from './connect.ts'
import type { Database } from './database.ts'
import { execute, queryRows, sql } from './sql.ts'

const channel = 'flamegate_revocations'
/** How long the oldest access token that a revocation may have to stop lives, with room to spare. */
const rememberedHours = 24
const checkEveryMs = 5_000
const reconnectAfterMs = 500

/** Removes everything that a grant issued, and tells every process once the transaction commits. */
export async function revokeGrant(client: ClientBase, grantId: string): Promise<void> {
  await execute(
    client,
    sql`DELETE FROM oauth_records WHERE grant_id = ${grantId} OR (model = 'Grant' AND id = ${grantId})`,
  )
  await execute(client, sql`DELETE FROM oauth_grants WHERE grant_id = ${grantId}`)
  await execute(
    client,
    sql`INSERT INTO oauth_revocations (grant_id) VALUES (${grantId}) ON CONFLICT (grant_id) DO NOTHING`,
  )
  await execute(client, sql`SELECT pg_notify(${channel}, ${grantId})`)
}

/**
 * Calls back for every grant that was revoked in the last day, and from then on for each as it is revoked; the same
 * grant may be told again. Resolves once it listens. A connection of its own hears them at once; when it breaks, it
 * is made again and what was missed is read from the table.
 */
export async function watchRevocations(
  database: Database,
  onRevoked: (grantId: string) => void,
): Promise<{ close(): Promise<void> }> {
  const listener = new RevocationListener(database, onRevoked)
  await listener.connect()
  return { close: () => listener.close() }
}

class RevocationListener {
  #client: Client | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  readonly #database: Database
  readonly #onRevoked: (grantId: string) => void

  constructor(database: Database, onRevoked: (grantId: string) => void) {
    this.#database = database
    this.#onRevoked = onRevoked
  }

  async connect(): Promise<void> {
    const client = new Client({
      ...connectOptions(this.#database.authUrl, 'flamegate revocations'),
      query_timeout: checkEveryMs,
    })
    this.#client = client
    // Without a listener an error ends the process; `end` comes after it in any case.
    client.on('error', (err) => this.#database.log.error({ err }, 'revocation listener lost its connection'))
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#onRevoked(payload)
    })
    await client.connect()
    // Closed while it was connecting: nobody else would end this one.
    if (this.#isClosed) return client.end()
    client.on('end', () => this.#reconnectLater(client))
    await client.query(`LISTEN ${channel}`)
    // After LISTEN, so that nothing falls between the two.
    await this.#readRecent()
    this.#checkLater(client)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#client?.end()
  }

  async #readRecent(): Promise<void> {
    const rows = await queryRows<{ grant_id: string }>(
      this.#database.auth,
      sql`SELECT grant_id FROM oauth_revocations WHERE revoked_at > now() - make_interval(hours => ${rememberedHours}::int)`,
    )
    for (const row of rows) this.#onRevoked(row.grant_id)
  }

  /** A connection that went away silently is only noticed by asking. */
  #checkLater(client: Client): void {
    this.#timer = setTimeout(() => {
      client.query('SELECT').then(
        () => !this.#isClosed && this.#checkLater(client),
        // Ends it, and with that comes a new one.
        () => client.end().catch(() => undefined),
      )
    }, checkEveryMs).unref()
  }

  #reconnectLater(ended: Client): void {
    clearTimeout(this.#timer)
    if (this.#isClosed || ended !== this.#client) return
    this.#timer = setTimeout(() => {
      this.connect().catch((err: unknown) => {
        this.#database.log.error({ err }, 'revocation listener cannot connect')
        const failed = this.#client
        if (failed) {
          failed.removeAllListeners('end')
          failed.end().catch(() => undefined)
          this.#reconnectLater(failed)
        }
      })
    }, reconnectAfterMs).unref()
  }
}
