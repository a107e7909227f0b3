import { roleAtLeast, type Caller, type Role } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { escapeLiteral } from 'pg'
import { Prisma } from './generated/client.ts'
import { sql, type Sql } from './sql.ts'

/** What row-level security lets one transaction see and do. */
export interface RowScope {
  userId: string
  readWorkspaceIds: readonly string[]
  writeWorkspaceIds: readonly string[]
  adminWorkspaceIds: readonly string[]
  /** The one project of these workspaces that is there at all; all of them when undefined. */
  projectId?: string | undefined
  /** The one live app that is there at all; all of them when undefined. */
  liveAppId?: string | undefined
  isReadOnly: boolean
}

/** A caller's roles, cut down to what this call may do at most. */
export function rowScope(caller: Caller): RowScope {
  const idsFrom = (role: Role) =>
    [...caller.roles].filter(([, held]) => roleAtLeast(held, role)).map(([id]) => id)
  return {
    userId: caller.principal.userId,
    readWorkspaceIds: [...caller.roles.keys()],
    writeWorkspaceIds: caller.access === 'read' ? [] : idsFrom('member'),
    // In a reading call it opens what only admins see; its transaction is read-only, so it opens nothing to writes.
    adminWorkspaceIds: caller.access === 'write' ? [] : idsFrom('admin'),
    projectId: caller.principal.projectId,
    liveAppId: caller.principal.liveAppId,
    isReadOnly: caller.access === 'read',
  }
}

/**
 * Begins a transaction with the settings that the policies in `prisma/migrations` read. One message, and nothing to
 * read back, because this goes before every query.
 */
export function beginStatement(scope: RowScope): string {
  const settings = Object.entries(scopeSettings(scope))
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `; SET LOCAL ${name} = ${escapeLiteral(value)}`)
  return `BEGIN ${scope.isReadOnly ? 'READ ONLY' : 'READ WRITE'}${settings.join('')}`
}

/** The same for a transaction that Prisma has begun: one prepared statement, so its text is always the same. */
export function enterStatement(scope: RowScope): Sql {
  const calls = Object.entries({
    ...scopeSettings(scope),
    transaction_read_only: scope.isReadOnly ? 'on' : 'off',
  }).map(([name, value]) => sql`set_config(${name}, ${value}, true)`)
  return sql`SELECT ${Prisma.join(calls)}`
}

function scopeSettings(scope: RowScope): Record<string, string> {
  return {
    'flamegate.user_id': scope.userId,
    'flamegate.read_workspaces': scope.readWorkspaceIds.join(','),
    'flamegate.write_workspaces': scope.writeWorkspaceIds.join(','),
    'flamegate.admin_workspaces': scope.adminWorkspaceIds.join(','),
    'flamegate.project_id': scope.projectId ?? '',
    'flamegate.live_app_id': scope.liveAppId ?? '',
  }
}

/**
 * Refuses a write to a row that the caller can see but not change. Row-level security would refuse as well, but an
 * UPDATE or DELETE that it filters looks like a missing row.
 * @throws NotPermitted
 */
export function mustWrite(caller: Caller, workspaceId: string): void {
  if (!rowScope(caller).writeWorkspaceIds.includes(workspaceId)) throw new NotPermitted()
}

/**
 * The same for what only admins change.
 * @throws NotPermitted
 */
export function mustAdminister(caller: Caller, workspaceId: string): void {
  const { isReadOnly, adminWorkspaceIds } = rowScope(caller)
  if (isReadOnly || !adminWorkspaceIds.includes(workspaceId)) throw new NotPermitted()
}
