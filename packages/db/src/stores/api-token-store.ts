import { parseScopes, type Scope } from '@flamegate/contract'
import type { ApiTokenStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustAdminister, mustWrite } from '../row-scope.ts'

// All but the hash, which operations may write and not read.
const columns = {
  id: true,
  workspaceId: true,
  userId: true,
  name: true,
  prefix: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const

export function apiTokenStore(database: Database): ApiTokenStore {
  return {
    list: (caller, workspaceId) =>
      database.asCaller(caller, async (transaction) => {
        const rows = await transaction.apiToken.findMany({
          // Those that CI gets for minutes are nobody's to look after.
          where: { workspaceId, OR: [{ projectId: null }, { liveAppId: { not: null } }] },
          select: columns,
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        })
        return rows.map(withScopes)
      }),

    find: (caller, id) =>
      database.asCaller(caller, async (transaction) => {
        const row = await transaction.apiToken.findFirst({ where: { id }, select: columns })
        return row ? withScopes(row) : undefined
      }),

    create: (caller, { liveApp, ...token }) =>
      database.asCaller(caller, async (transaction) => {
        const row = await transaction.apiToken.create({
          data: {
            ...token,
            userId: caller.principal.userId,
            projectId: liveApp?.projectId ?? null,
            liveAppId: liveApp?.id ?? null,
          },
          select: columns,
        })
        return withScopes(row)
      }),

    revoke: (caller, id) =>
      database.asCaller(caller, async (transaction) => {
        const token = await transaction.apiToken.findFirst({
          where: { id },
          select: { workspaceId: true, userId: true },
        })
        if (!token) return false
        if (token.userId === caller.principal.userId) mustWrite(caller, token.workspaceId)
        else mustAdminister(caller, token.workspaceId)
        const { count } = await transaction.apiToken.updateMany({
          where: { workspaceId: token.workspaceId, id, revokedAt: null },
          data: { revokedAt: new Date() },
        })
        return count > 0
      }),
  }
}

function withScopes<Row extends { scopes: string[] }>(row: Row): Row & { scopes: Scope[] } {
  return { ...row, scopes: parseScopes(row.scopes.join(' ')) }
}
