import type { Role, Scope } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import type { IdentityStore, OAuthRecord, Session, User } from '@flamegate/operations/ports'

type ApiToken = NonNullable<Awaited<ReturnType<IdentityStore['findApiToken']>>>
type NotedGrant = Parameters<IdentityStore['oauth']['noteGrant']>[0]
type StoredRecord = OAuthRecord & { grantId?: string; userCode?: string; uid?: string }

/** An `IdentityStore` without a database, for tests: what the port promises, plus a way to put things in. */
export interface MemoryIdentity extends IdentityStore {
  addApiToken(tokenHash: string, token: ApiToken): void
  /** As when its owner revokes it. */
  removeApiToken(tokenHash: string): void
  addInvitation(tokenHash: string, invitation: { email: string; workspaceId: string; role: Role }): void
  /** Puts a key before the others, as a rotation does. */
  addKey(kind: string, key: Record<string, unknown>): void
  /** What people allowed, without the revoked ones. */
  listGrants(): { id: string; userId: string; clientId: string; clientName: string; scopes: Scope[] }[]
  /** Ids of the stored OAuth records of one model. */
  listRecordIds(model: string): string[]
  /** Calls counted under a grant. */
  countUse(grantId: string): number
}

const recordKey = (model: string, id: string) => `${model}:${id}`

export function createMemoryIdentity(now: () => number = Date.now): MemoryIdentity {
  const users = new Map<string, User>()
  const sessions = new Map<string, Session>()
  const apiTokens = new Map<string, ApiToken>()
  const invitations = new Map<string, { email: string; workspaceId: string; role: Role }>()
  const keysByKind = new Map<string, Record<string, unknown>[]>()
  const records = new Map<string, StoredRecord>()
  const grants = new Map<string, NotedGrant>()
  const uses = new Map<string, number>()
  const revoked = new Set<string>()
  const watchers = new Set<(grantId: string) => void>()

  function findRecord(
    model: string,
    matches: (record: StoredRecord) => boolean,
  ): Promise<OAuthRecord | undefined> {
    for (const [key, record] of records) {
      if (key.startsWith(`${model}:`) && matches(record)) return Promise.resolve(structuredClone(record))
    }
    return Promise.resolve(undefined)
  }

  return {
    async findUserByEmail(email) {
      return [...users.values()].find((user) => user.email === email)
    },
    async findUser(id) {
      return users.get(id)
    },
    async createUser(user) {
      if ([...users.values()].some(({ email }) => email === user.email)) throw new Conflict('email')
      const created = { ...user, createdAt: new Date(now()) }
      users.set(user.id, created)
      return created
    },
    async acceptInvitation(userId, tokenHash) {
      const invitation = invitations.get(tokenHash)
      if (!invitation || invitation.email !== users.get(userId)?.email) return undefined
      invitations.delete(tokenHash)
      return { workspaceId: invitation.workspaceId, role: invitation.role }
    },

    async createSession({ tokenHash, userId, expiresAt }) {
      sessions.set(tokenHash, { userId, expiresAt, createdAt: new Date(now()) })
    },
    async findSession(tokenHash) {
      const session = sessions.get(tokenHash)
      return session && session.expiresAt.getTime() > now() ? session : undefined
    },
    async removeSession(tokenHash) {
      sessions.delete(tokenHash)
    },

    async findApiToken(tokenHash) {
      const token = apiTokens.get(tokenHash)
      return token?.expiresAt && token.expiresAt.getTime() <= now() ? undefined : token
    },

    oauth: {
      async upsert(model, id, { payload, grantId, userCode, uid, expiresAt }) {
        const consumedAt = records.get(recordKey(model, id))?.consumedAt ?? null
        const record = { payload, grantId, userCode, uid, expiresAt: expiresAt ?? null, consumedAt }
        records.set(recordKey(model, id), structuredClone(record))
      },
      async find(model, id) {
        return structuredClone(records.get(recordKey(model, id)))
      },
      findByUid: (model, uid) => findRecord(model, (record) => record.uid === uid),
      findByUserCode: (model, userCode) => findRecord(model, (record) => record.userCode === userCode),
      async consume(model, id) {
        const record = records.get(recordKey(model, id))
        if (record) record.consumedAt ??= new Date(now())
      },
      async destroy(model, id) {
        records.delete(recordKey(model, id))
      },
      async revokeGrant(grantId) {
        for (const [key, record] of records) if (record.grantId === grantId) records.delete(key)
        grants.delete(grantId)
        revoked.add(grantId)
        for (const onRevoked of watchers) onRevoked(grantId)
      },
      async noteGrant(grant) {
        grants.set(grant.id, grant)
      },
      async noteUse(grantId, calls) {
        uses.set(grantId, (uses.get(grantId) ?? 0) + calls)
      },
    },

    async keys(kind, make) {
      const keys = keysByKind.get(kind) ?? [await make()]
      // Whoever comes first wins, also when two make a key at the same time.
      if (!keysByKind.has(kind)) keysByKind.set(kind, keys)
      return keysByKind.get(kind) ?? keys
    },

    async watchRevocations(onRevoked) {
      for (const grantId of revoked) onRevoked(grantId)
      watchers.add(onRevoked)
      return {
        close: async () => {
          watchers.delete(onRevoked)
        },
      }
    },

    addApiToken: (tokenHash, token) => apiTokens.set(tokenHash, token),
    removeApiToken: (tokenHash) => apiTokens.delete(tokenHash),
    addInvitation: (tokenHash, invitation) => invitations.set(tokenHash, invitation),
    addKey: (kind, key) => keysByKind.set(kind, [key, ...(keysByKind.get(kind) ?? [])]),
    listGrants: () => [...grants.values()],
    listRecordIds: (model) =>
      [...records.keys()]
        .filter((key) => key.startsWith(`${model}:`))
        .map((key) => key.slice(model.length + 1)),
    countUse: (grantId) => uses.get(grantId) ?? 0,
  }
}
