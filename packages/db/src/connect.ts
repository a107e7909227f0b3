import { Client, type ClientConfig } from 'pg'

/** What every connection of ours has: a name to be found by in `pg_stat_activity`, and an end to waiting. */
export function connectOptions(connectionString: string, applicationName: string): ClientConfig {
  return {
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}

/** A connection of one's own, to be ended by who asked for it. When it breaks, the query that waits says so, or the next one. */
export async function openConnection(connectionString: string, applicationName: string): Promise<Client> {
  const client = new Client(connectOptions(connectionString, applicationName))
  // Unheard, it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
