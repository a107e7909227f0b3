import type { ClientConfig } from 'pg'

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
