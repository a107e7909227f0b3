export { PostgresStartError, startEmbeddedPostgres } from './embedded-postgres.ts'
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts'
