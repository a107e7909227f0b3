import { roleAtLeast, type Caller, type Role } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { escapeLiteral } from 'pg'

/** What row-level security lets one transaction see and do. */
export interface RowScope {
  userId: string
  readWorkspaceIds: readonly string[]
  writeWorkspaceIds: readonly string[]
  adminWorkspaceIds: readonly string[]
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
    adminWorkspaceIds: caller.access === 'admin' ? idsFrom('admin') : [],
    isReadOnly: caller.access === 'read',
  }
}

/** The settings that the policies in `prisma/migrations` read, by name. */
export function scopeSettings(scope: RowScope): [name: string, value: string][] {
  return [
    ['flamegate.user_id', scope.userId],
    ['flamegate.read_workspaces', scope.readWorkspaceIds.join(',')],
    ['flamegate.write_workspaces', scope.writeWorkspaceIds.join(',')],
    ['flamegate.admin_workspaces', scope.adminWorkspaceIds.join(',')],
    ['transaction_read_only', scope.isReadOnly ? 'on' : 'off'],
  ]
}

/** Makes the settings for the transaction that is open, in one statement. */
export function scopeStatement(scope: RowScope): string {
  const calls = scopeSettings(scope).map(
    ([name, value]) => `set_config('${name}', ${escapeLiteral(value)}, true)`,
  )
  return `SELECT ${calls.join(', ')}`
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
  if (!rowScope(caller).adminWorkspaceIds.includes(workspaceId)) throw new NotPermitted()
}
