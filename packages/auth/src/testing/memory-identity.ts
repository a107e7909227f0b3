import { isDeepStrictEqual } from 'node:util'
import type { Role } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import { createMemoryAccounts } from './memory-accounts.ts'
import type {
  ApiTokenProof,
  DataKey,
  IdentityStore,
  KeylessProject,
  Membership,
  OAuthRecord,
  OnRevoked,
  SecurityEvent,
  Session,
  User,
  VisibleChange,
} from '@flamegate/operations/ports'
import { createMemoryClientDocuments, createMemoryClients } from './memory-oauth-clients.ts'
import type { MemoryClients } from './memory-oauth-clients.ts'
import { createMemorySso } from './memory-sso.ts'
import type { MemorySso } from './memory-sso.ts'

type NotedGrant = Parameters<IdentityStore['oauth']['noteGrant']>[0]
type StoredRecord = Omit<OAuthRecord, 'consumedMsAgo'> & {
  consumedAt: Date | null
  grantId?: string
  userCode?: string
  uid?: string
}

/** An `IdentityStore` without a database, for tests: what the port promises, plus a way to put things in. */
export interface MemoryIdentity extends IdentityStore {
  addApiToken(tokenHash: string, token: ApiTokenProof): void
  /** As when an administrator of the installation shuts somebody out, and ends their sessions. */
  disable(userId: string): Promise<void>
  /** As when its owner revokes it. */
  removeApiToken(tokenHash: string): void
  addMembership(userId: string, membership: Membership): void
  addInvitation(tokenHash: string, invitation: { email: string; workspaceId: string; role: Role }): void
  oauthClients: MemoryClients
  sso: MemorySso
  /** What people allowed, without the revoked ones. */
  listGrants(): NotedGrant[]
  /** As when a person lets a project take uploads without a token. */
  addKeylessProject(repository: string, project: KeylessProject): void
  /** Ids of the stored OAuth records of one model. */
  listRecordIds(model: string): string[]
  /** What was recorded, oldest first. */
  securityEvents: readonly SecurityEvent[]
  /** Calls counted under a grant. */
  countUse(grantId: string): number
  /** As when a role changed, or a process with other tools came up. */
  tellVisibleChange(change: VisibleChange): void
}

const recordKey = (model: string, id: string) => `${model}:${id}`

export function createMemoryIdentity(now: () => number = Date.now): MemoryIdentity {
  const users = new Map<string, User>()
  const sessions = new Map<string, Session & { userAgent: string; ssoWorkspaceId?: string | undefined }>()
  const apiTokens = new Map<string, ApiTokenProof>()
  const keylessProjects: { repository: string; project: KeylessProject }[] = []
  const memberships = new Map<string, Membership[]>()
  const invitations = new Map<
    string,
    { id: string; email: string; workspaceId: string; role: Role; isMailed: boolean }
  >()
  const keysByKind = new Map<string, { key: Record<string, unknown>; activeAtMs: number }[]>()
  const dataKeys = new Map<string, DataKey>()
  const records = new Map<string, StoredRecord>()
  const grants = new Map<string, NotedGrant>()
  const uses = new Map<string, number>()
  const securityEvents: SecurityEvent[] = []
  const revoked = new Set<string>()
  const versions = new Map<string, number>()
  const polls = new Map<string, { atMs: number; seconds: number }>()
  const watchers = new Set<OnRevoked>()
  const changeWatchers = new Set<(change: VisibleChange) => void>()

  const oauthClients = createMemoryClients(async (clientId) => {
    records.delete(recordKey('Client', clientId))
    for (const grant of grants.values()) if (grant.clientId === clientId) await revokeGrant(grant.id)
  })

  function findGoodToken(tokenHash: string): ApiTokenProof | undefined {
    const token = apiTokens.get(tokenHash)
    if (token && oauthClients.isBlocked(token.id)) return undefined
    return token?.expiresAt && token.expiresAt.getTime() <= now() ? undefined : token
  }

  function shown({ payload, expiresAt, consumedAt }: StoredRecord): OAuthRecord {
    const consumedMsAgo = consumedAt && now() - consumedAt.getTime()
    return { payload: structuredClone(payload), expiresAt, consumedMsAgo }
  }

  function findRecord(
    model: string,
    matches: (record: StoredRecord) => boolean,
  ): Promise<OAuthRecord | undefined> {
    for (const [key, record] of records) {
      if (key.startsWith(`${model}:`) && matches(record)) return Promise.resolve(shown(record))
    }
    return Promise.resolve(undefined)
  }

  async function revokeGrant(grantId: string): Promise<void> {
    for (const [key, record] of records) if (record.grantId === grantId) records.delete(key)
    grants.delete(grantId)
    revoked.add(grantId)
    for (const onRevoked of watchers) onRevoked(grantId)
  }

  function keepGrant(grant: NotedGrant): void {
    const before = grants.get(grant.id)
    grants.set(grant.id, grant)
    if (!before || isDeepStrictEqual(before.choices, grant.choices)) return
    const version = (versions.get(grant.id) ?? 0) + 1
    versions.set(grant.id, version)
    for (const onRevoked of watchers) onRevoked(grant.id, version)
  }

  const accounts = createMemoryAccounts({
    users,
    sessions,
    now,
    removeApiTokens(userId) {
      for (const [tokenHash, token] of apiTokens) if (token.userId === userId) apiTokens.delete(tokenHash)
    },
    async revokeGrants(userId) {
      for (const grant of grants.values()) if (grant.userId === userId) await revokeGrant(grant.id)
    },
  })

  const sso = createMemorySso({ users, memberships })

  return {
    // No workspace has a token.
    scim: { findToken: async () => undefined, join: async () => {} },
    accounts,
    sso,

    async findUserByEmail(email) {
      return [...users.values()].find((user) => user.email === email)
    },
    async findUser(id) {
      return users.get(id)
    },
    async createUser(user, workspace) {
      if ([...users.values()].some(({ email }) => email === user.email)) throw new Conflict('email')
      if (accounts.isReserved(user.email)) throw new Conflict('email')
      const created = {
        ...user,
        emailVerifiedAt: user.emailVerifiedAt ?? null,
        createdAt: new Date(now()),
        disabledAt: null,
      }
      users.set(user.id, created)
      memberships.set(user.id, [
        { workspaceId: workspace.id, slug: workspace.slug, name: workspace.name, role: 'owner' },
      ])
      return created
    },
    async acceptInvitation(userId, invited) {
      const user = users.get(userId)
      const [tokenHash = '', invitation] =
        [...invitations].find(([hash, { id }]) =>
          'id' in invited ? id === invited.id : hash === invited.tokenHash,
        ) ?? []
      if (!invitation || invitation.email !== user?.email) return undefined
      if ('id' in invited && user.emailVerifiedAt === null) return undefined
      invitations.delete(tokenHash)
      return { workspaceId: invitation.workspaceId, role: invitation.role }
    },

    async takeUnmailedInvitations() {
      const unmailed = [...invitations.values()].filter(({ isMailed }) => !isMailed)
      for (const invitation of unmailed) invitation.isMailed = true
      const expiresAt = new Date(now() + 86_400_000)
      return unmailed.map(({ id, email }) => ({ id, email, invitedBy: 'host@example.com', expiresAt }))
    },

    listMemberships: async (userId) => memberships.get(userId) ?? [],

    async createSession({ tokenHash, provedAt = null, ...session }) {
      sessions.set(tokenHash, { ...session, provedAt, createdAt: new Date(now()) })
    },
    async findSession(tokenHash) {
      const session = sessions.get(tokenHash)
      if (!session || session.expiresAt.getTime() <= now()) return undefined
      const required = await sso.findRequired(session.userId)
      return required === undefined || required.workspaceId === session.ssoWorkspaceId ? session : undefined
    },
    async noteProof(tokenHash) {
      const session = sessions.get(tokenHash)
      if (session) session.provedAt = new Date(now())
    },
    async extendSession(tokenHash, expiresAt) {
      const session = sessions.get(tokenHash)
      if (!session || session.expiresAt.getTime() <= now()) return false
      sessions.set(tokenHash, { ...session, expiresAt })
      return true
    },
    async removeSession(tokenHash) {
      sessions.delete(tokenHash)
    },

    findApiToken: async (tokenHash) => findGoodToken(tokenHash),
    async findApiTokenById(id) {
      const [tokenHash = ''] = [...apiTokens].find(([, token]) => token.id === id) ?? []
      const token = findGoodToken(tokenHash)
      return token && { ...token, tokenHash }
    },

    keyless: {
      listProjects: async (repository) =>
        keylessProjects
          .filter((each) => each.repository.toLowerCase() === repository.toLowerCase())
          .map(({ project }) => project),
      async addToken(project, { id, name, tokenHash, expiresAt }) {
        const { id: projectId, workspaceId, userId } = project
        apiTokens.set(tokenHash, { id, name, userId, workspaceId, projectId, scopes: ['upload'], expiresAt })
      },
    },
    addKeylessProject: (repository, project) => void keylessProjects.push({ repository, project }),

    grants: {
      async findChoices(userId, grantId) {
        const grant = grants.get(grantId)
        return grant?.userId === userId ? grant.choices : undefined
      },
      async findVersionedChoices(userId, grantId) {
        const choices = await this.findChoices(userId, grantId)
        return choices && { choices, version: versions.get(grantId) ?? 0 }
      },
      findLatestChoices: async (userId, clientId) =>
        [...grants.values()].findLast((grant) => grant.userId === userId && grant.clientId === clientId)
          ?.choices,
      async changeChoices(userId, grantId, choices) {
        const grant = grants.get(grantId)
        if (grant?.userId !== userId) return false
        keepGrant({ ...grant, choices })
        return true
      },
      listWorkspaces: async (userId) =>
        (memberships.get(userId) ?? []).map(({ workspaceId, name }) => ({ id: workspaceId, name })),
    },

    oauth: {
      async upsert(model, id, { payload, grantId, userCode, uid, expiresAt }) {
        const consumedAt = records.get(recordKey(model, id))?.consumedAt ?? null
        const record = { payload, grantId, userCode, uid, expiresAt: expiresAt ?? null, consumedAt }
        records.set(recordKey(model, id), structuredClone(record))
      },
      async add(model, id, record) {
        if (records.has(recordKey(model, id))) return false
        await this.upsert(model, id, record)
        return true
      },
      async find(model, id) {
        const record = records.get(recordKey(model, id))
        return record && shown(record)
      },
      findByUid: (model, uid) => findRecord(model, (record) => record.uid === uid),
      findByUserCode: (model, userCode) => findRecord(model, (record) => record.userCode === userCode),
      async consume(model, id) {
        const record = records.get(recordKey(model, id))
        if (!record || record.consumedAt) return false
        record.consumedAt = new Date(now())
        return true
      },
      async notePoll(id) {
        const before = polls.get(id)
        const seconds = before?.seconds ?? 5
        const isTooSoon = before !== undefined && now() - before.atMs < (seconds - 1) * 1000
        polls.set(id, { atMs: now(), seconds: isTooSoon ? seconds + 5 : seconds })
        return !isTooSoon
      },
      async destroy(model, id) {
        records.delete(recordKey(model, id))
      },
      revokeGrant,
      async noteGrant(grant) {
        keepGrant(grant)
      },
      async noteUse(grantId, calls) {
        uses.set(grantId, (uses.get(grantId) ?? 0) + calls)
      },
    },

    oauthClients,
    clientDocuments: createMemoryClientDocuments(now),

    async keys(kind, make) {
      const made = keysByKind.get(kind) ?? [{ key: await make(), activeAtMs: now() }]
      // Whoever comes first wins, also when two make a key at the same time.
      if (!keysByKind.has(kind)) keysByKind.set(kind, made)
      const keys = keysByKind.get(kind) ?? made
      const active = keys.filter(({ activeAtMs }) => activeAtMs <= now())
      const later = keys.filter(({ activeAtMs }) => activeAtMs > now())
      return [...active, ...later].map(({ key }) => key)
    },
    async addKey(kind, key, activeAt) {
      keysByKind.set(kind, [{ key, activeAtMs: activeAt.getTime() }, ...(keysByKind.get(kind) ?? [])])
    },

    dataKeys: {
      async current(workspaceId, make) {
        const key = dataKeys.get(workspaceId ?? '') ?? { id: `dk_${dataKeys.size + 1}`, key: make() }
        dataKeys.set(workspaceId ?? '', key)
        return key
      },
      find: async (id) => [...dataKeys.values()].find((key) => key.id === id),
    },

    async watchRevocations(onRevoked) {
      for (const [grantId, version] of versions) onRevoked(grantId, version)
      for (const grantId of revoked) onRevoked(grantId)
      watchers.add(onRevoked)
      return {
        close: async () => {
          watchers.delete(onRevoked)
        },
      }
    },

    async watchVisibleChanges(_catalogue, onChange) {
      changeWatchers.add(onChange)
      return {
        close: async () => {
          changeWatchers.delete(onChange)
        },
      }
    },
    tellVisibleChange(change) {
      for (const onChange of changeWatchers) onChange(change)
    },

    async disable(userId) {
      const user = users.get(userId)
      if (user) users.set(userId, { ...user, disabledAt: new Date(now()) })
      await accounts.removeSessions(userId)
    },
    addApiToken: (tokenHash, token) => apiTokens.set(tokenHash, token),
    removeApiToken: (tokenHash) => apiTokens.delete(tokenHash),
    addMembership: (userId, membership) =>
      memberships.set(userId, [...(memberships.get(userId) ?? []), membership]),
    addInvitation: (tokenHash, invitation) =>
      invitations.set(tokenHash, { ...invitation, id: `inv_${invitations.size + 1}`, isMailed: false }),
    listGrants: () => [...grants.values()],
    listRecordIds: (model) =>
      [...records.keys()]
        .filter((key) => key.startsWith(`${model}:`))
        .map((key) => key.slice(model.length + 1)),
    securityEvents,
    securityLog: { record: async (event) => void securityEvents.push(event) },
    countUse: (grantId) => uses.get(grantId) ?? 0,
  }
}
