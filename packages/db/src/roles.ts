import { escapeIdentifier, escapeLiteral } from 'pg'
import { openConnection } from './connect.ts'

/** Database roles, by what they are for. Their rights are in `prisma/migrations`. */
export const databaseRoles = {
  /** Owns the database and migrates it. */
  owner: 'flamegate_owner',
  /** Operations, as one caller at a time, under row-level security. */
  app: 'flamegate_app',
  /** People, sessions, tokens and OAuth: what is needed before there is a caller. */
  auth: 'flamegate_auth',
  /** Background jobs, in a schema of their own; sees none of our tables. */
  queue: 'flamegate_queue',
} as const

export type DatabaseRole = keyof typeof databaseRoles
export type RolePasswords = Record<DatabaseRole, string>

/**
 * What has to be run once by somebody who may create roles and databases: SQL statements for any database of the
 * server (PostgreSQL 17 or later), in order.
 */
export function bootstrapStatements(passwords: RolePasswords, database = 'flamegate'): string[] {
  return [
    ...createRole(databaseRoles.owner, passwords.owner),
    ...createRole(databaseRoles.app, passwords.app),
    ...createRole(databaseRoles.auth, passwords.auth),
    ...createRole(databaseRoles.queue, passwords.queue),
    // Giving a database to a role takes membership in it, unless one is superuser.
    `GRANT ${databaseRoles.owner} TO CURRENT_USER`,
    ...createDatabase(database),
  ]
}

/** The part that makes a database, where the roles are there already. */
export function createDatabase(database: string): string[] {
  const name = escapeIdentifier(database)
  return [
    // The built-in locale knows Unicode and sorts alike everywhere: no index breaks when the system's changes.
    `CREATE DATABASE ${name} OWNER ${databaseRoles.owner} TEMPLATE template0 ENCODING 'UTF8' ` +
      `LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'`,
    `REVOKE ALL ON DATABASE ${name} FROM PUBLIC`,
    `GRANT CONNECT ON DATABASE ${name} TO ${databaseRoles.app}, ${databaseRoles.auth}`,
    `GRANT CONNECT, CREATE ON DATABASE ${name} TO ${databaseRoles.queue}`,
  ]
}

function createRole(name: string, password: string): string[] {
  return [
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${name}') THEN ` +
      `CREATE ROLE ${name}; END IF; END $$`,
    `ALTER ROLE ${name} WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS ` +
      `PASSWORD ${escapeLiteral(password)}`,
  ]
}

/**
 * Creates the roles and the database, or sets the passwords when they are there already.
 * @param adminUrl Any database of the server, as somebody who may create roles and databases.
 */
export async function bootstrapRoles(
  adminUrl: string,
  passwords: RolePasswords,
  database = 'flamegate',
): Promise<void> {
  const client = await openConnection(adminUrl, 'flamegate bootstrap')
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database])
    const isThere = rowCount !== 0
    const statements = bootstrapStatements(passwords, database).filter(
      (statement) => !isThere || !statement.startsWith('CREATE DATABASE'),
    )
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The connection string of a role, made from the administrator's. */
export function roleUrl(
  adminUrl: string,
  role: DatabaseRole,
  password: string,
  database = 'flamegate',
): string {
  const url = new URL(adminUrl)
  url.username = databaseRoles[role]
  url.password = encodeURIComponent(password)
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}
