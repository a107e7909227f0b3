import { Client } from 'pg'
import { connectOptions } from './connect.ts'
import type { Database } from './database.ts'

export interface Channel {
  name: string
  /** What it is about, for the log and for `pg_stat_activity`. */
  about: string
  /** Once per notification, as soon as its transaction has committed. */
  onPayload: (payload: string) => void
  /**
   * When it listens, at first and again after each break of the connection: the place to catch up, because what was
   * told meanwhile is lost. Its connection is the one that listens.
   */
  onListening: (client: Client) => Promise<void>
  /** How long the connection may be silent before it is asked whether it is still there; 5 s when left out. */
  checkEveryMs?: number
  /** How long it may take to answer before another one is made; 5 s when left out. */
  answerWithinMs?: number
}

const reconnectAfterMs = 50
/** When that did not help. */
const retryAfterMs = 500

/**
 * Listens to a channel (PostgreSQL's LISTEN) on a connection of its own, which is made again when it breaks. Resolves
 * once it listens.
 */
export async function listenTo(database: Database, channel: Channel): Promise<{ close(): Promise<void> }> {
  const listener = new NotificationListener(database, channel)
  await listener.connect()
  return { close: () => listener.close() }
}

class NotificationListener {
  #client: Client | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  readonly #database: Database
  readonly #channel: Channel

  constructor(database: Database, channel: Channel) {
    this.#database = database
    this.#channel = channel
  }

  async connect(): Promise<void> {
    const { name, about, onPayload, onListening, answerWithinMs = 5_000 } = this.#channel
    const client = new Client({
      ...connectOptions(this.#database.authUrl, `flamegate ${about}`),
      query_timeout: answerWithinMs,
    })
    this.#client = client
    // Without a listener an error ends the process; `end` comes after it in any case.
    client.on('error', (err) =>
      this.#database.log.error({ err }, `listener for ${about} lost its connection`),
    )
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) onPayload(payload)
    })
    await client.connect()
    // Closed while it was connecting: nobody else would end this one.
    if (this.#isClosed) return client.end()
    client.on('end', () => this.#reconnectLater(client, reconnectAfterMs))
    await client.query(`LISTEN ${name}`)
    // After LISTEN, so that nothing falls between the two.
    await onListening(client)
    this.#checkLater(client)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#client?.end()
  }

  /** A connection that went away silently is only noticed by asking. */
  #checkLater(client: Client): void {
    this.#timer = setTimeout(() => {
      client.query('SELECT').then(
        () => !this.#isClosed && this.#checkLater(client),
        // Ends it, and with that comes a new one.
        () => client.end().catch(() => undefined),
      )
    }, this.#channel.checkEveryMs ?? 5_000).unref()
  }

  #reconnectLater(ended: Client, afterMs: number): void {
    clearTimeout(this.#timer)
    if (this.#isClosed || ended !== this.#client) return
    this.#timer = setTimeout(() => {
      this.connect().catch((err: unknown) => {
        this.#database.log.error({ err }, `listener for ${this.#channel.about} cannot connect`)
        const failed = this.#client
        if (failed) {
          failed.removeAllListeners('end')
          failed.end().catch(() => undefined)
          this.#reconnectLater(failed, retryAfterMs)
        }
      })
    }, afterMs).unref()
  }
}
