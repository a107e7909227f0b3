import { Conflict } from '@flamegate/operations/ports'
import type {
  AccountStore,
  AttemptStore,
  LinkedSignIn,
  LinkedSignInStore,
  Passkey,
  PasskeyStore,
  Session,
  Ticket,
  TicketStore,
  TotpStore,
  User,
} from '@flamegate/operations/ports'

/** What the rest of the memory identity keeps, and accounts change. */
export interface MemoryPeople {
  users: Map<string, User>
  sessions: Map<string, Session & { userAgent: string }>
  removeApiTokens(userId: string): void
  revokeGrants(userId: string): Promise<void>
  now: () => number
}

/** An `AccountStore` without a database, for tests. */
export function createMemoryAccounts(
  people: MemoryPeople,
): AccountStore & { isReserved(email: string): boolean } {
  const { users, sessions, now } = people
  const tickets = memoryTickets(now)
  const passkeys = memoryPasskeys(now)
  const totp = memoryTotp(now)
  const linkedSignIns = memoryLinkedSignIns(now)

  function changeUser(userId: string, changes: Partial<User>): void {
    const user = users.get(userId)
    if (user) users.set(userId, { ...user, ...changes })
  }

  async function removeSessions(userId: string, keepTokenHash?: string): Promise<void> {
    for (const [tokenHash, session] of sessions) {
      if (session.userId === userId && tokenHash !== keepTokenHash) sessions.delete(tokenHash)
    }
  }

  function changeEmail(userId: string, email: string): void {
    const isTaken = [...users.values()].some((user) => user.email === email && user.id !== userId)
    if (isTaken) throw new Conflict('email')
    changeUser(userId, { email, emailVerifiedAt: new Date(now()) })
  }

  /** Memory has no dates of API tokens and grants: all of them go, which is more than the database takes. */
  async function removeProofs(userId: string, since: Date): Promise<void> {
    tickets.removeAll(userId)
    passkeys.removeSince(userId, since)
    linkedSignIns.removeSince(userId, since)
    people.removeApiTokens(userId)
    const codes = await totp.find(userId)
    if (codes && (codes.confirmedAt ?? new Date(now())) >= since) await totp.remove(userId)
    await removeSessions(userId)
    await people.revokeGrants(userId)
  }

  return {
    tickets,
    passkeys,
    totp,
    linkedSignIns,
    attempts: memoryAttempts(now),
    isReserved: (email) => tickets.isReserved(email),
    rename: async (userId, name) => changeUser(userId, { name }),
    async setPassword(userId, passwordHash, keepTokenHash) {
      changeUser(userId, { passwordHash })
      for (const purpose of ['reset_password', 'verify_email', 'second_factor'] as const) {
        await tickets.discard(userId, purpose)
      }
      await removeSessions(userId, keepTokenHash)
    },
    async confirmEmail(userId) {
      changeUser(userId, { emailVerifiedAt: users.get(userId)?.emailVerifiedAt ?? new Date(now()) })
    },
    async claim(userId, { passwordHash, name }) {
      const user = users.get(userId)
      if (!user || user.emailVerifiedAt !== null) return false
      changeUser(userId, { passwordHash, name: name ?? user.name, emailVerifiedAt: new Date(now()) })
      await removeProofs(userId, new Date(0))
      return true
    },
    async changeEmail(userId, from, to) {
      if (users.get(userId)?.email !== from) return false
      for (const claimant of users.values()) {
        if (claimant.email !== to || claimant.emailVerifiedAt !== null) continue
        changeUser(claimant.id, { email: `${claimant.id.toLowerCase()}@released.invalid` })
        await tickets.discard(claimant.id, 'reset_password')
        await tickets.discard(claimant.id, 'verify_email')
      }
      changeEmail(userId, to)
      return true
    },
    async restoreEmail(userId, email, since) {
      changeEmail(userId, email)
      changeUser(userId, { passwordHash: null })
      await removeProofs(userId, since)
    },
    revokeGrants: (userId) => people.revokeGrants(userId),
    async listSessions(userId) {
      const own = [...sessions].filter(
        ([, session]) => session.userId === userId && session.expiresAt.getTime() > now(),
      )
      return own.map(([tokenHash, session]) => ({ tokenHash, ...session })).toReversed()
    },
    removeSessions,
  }
}

function memoryTickets(
  now: () => number,
): TicketStore & { removeAll(userId: string): void; isReserved(email: string): boolean } {
  const tickets = new Map<string, Ticket & { purpose: string; expiresAt: Date }>()

  function find(secretHash: string, purpose: string): Ticket | undefined {
    const ticket = tickets.get(secretHash)
    if (ticket?.purpose !== purpose || ticket.expiresAt.getTime() <= now()) return undefined
    return structuredClone({ userId: ticket.userId, payload: ticket.payload })
  }

  return {
    async add({ secretHash, ...ticket }) {
      tickets.set(secretHash, structuredClone(ticket))
    },
    find: async (secretHash, purpose) => find(secretHash, purpose),
    async take(secretHash, purpose) {
      const ticket = find(secretHash, purpose)
      if (ticket) tickets.delete(secretHash)
      return ticket
    },
    async discard(userId, purpose) {
      for (const [secretHash, ticket] of tickets) {
        if (ticket.userId === userId && ticket.purpose === purpose) tickets.delete(secretHash)
      }
    },
    isReserved: (email) =>
      [...tickets.values()].some(
        ({ purpose, payload, expiresAt }) =>
          purpose === 'undo_email_change' && payload['email'] === email && expiresAt.getTime() > now(),
      ),
    removeAll(userId) {
      for (const [secretHash, ticket] of tickets) if (ticket.userId === userId) tickets.delete(secretHash)
    },
  }
}

type RemovesSince = { removeSince(userId: string, since: Date): void }

function memoryPasskeys(now: () => number): PasskeyStore & RemovesSince {
  const passkeys = new Map<string, Passkey>()
  return {
    find: async (id) => passkeys.get(id),
    list: async (userId) => [...passkeys.values()].filter((passkey) => passkey.userId === userId),
    async add(passkey) {
      if (passkeys.has(passkey.id)) throw new Conflict('passkey')
      const added = { ...passkey, createdAt: new Date(now()), lastUsedAt: null }
      passkeys.set(passkey.id, added)
      return added
    },
    async noteUse(id, use) {
      const passkey = passkeys.get(id)
      if (passkey) passkeys.set(id, { ...passkey, ...use, lastUsedAt: new Date(now()) })
    },
    async remove(userId, id) {
      return passkeys.get(id)?.userId === userId && passkeys.delete(id)
    },
    removeSince(userId, since) {
      for (const [id, passkey] of passkeys)
        if (passkey.userId === userId && passkey.createdAt >= since) passkeys.delete(id)
    },
  }
}

function memoryTotp(now: () => number): TotpStore {
  const secrets = new Map<string, { sealedSecret: string; confirmedAt: Date | null; lastStep: number }>()
  const recoveryCodes = new Map<string, Set<string>>()
  return {
    async find(userId) {
      const found = secrets.get(userId)
      return found && { sealedSecret: found.sealedSecret, confirmedAt: found.confirmedAt }
    },
    async begin(userId, sealedSecret) {
      if (secrets.get(userId)?.confirmedAt) return false
      secrets.set(userId, { sealedSecret, confirmedAt: null, lastStep: 0 })
      return true
    },
    async confirm(userId, codeHashes) {
      const found = secrets.get(userId)
      if (found) found.confirmedAt ??= new Date(now())
      recoveryCodes.set(userId, new Set(codeHashes))
    },
    async takeStep(userId, step) {
      const found = secrets.get(userId)
      if (!found || found.lastStep >= step) return false
      found.lastStep = step
      return true
    },
    countRecoveryCodes: async (userId) => recoveryCodes.get(userId)?.size ?? 0,
    takeRecoveryCode: async (userId, codeHash) => recoveryCodes.get(userId)?.delete(codeHash) ?? false,
    async replaceRecoveryCodes(userId, codeHashes) {
      recoveryCodes.set(userId, new Set(codeHashes))
    },
    async remove(userId) {
      secrets.delete(userId)
      recoveryCodes.delete(userId)
    },
  }
}

function memoryLinkedSignIns(now: () => number): LinkedSignInStore & RemovesSince {
  let links: LinkedSignIn[] = []
  return {
    find: async (issuer, subject) => links.find((link) => link.issuer === issuer && link.subject === subject),
    list: async (userId) => links.filter((link) => link.userId === userId),
    async add(link) {
      const there = links.filter(({ issuer }) => issuer === link.issuer)
      if (there.some(({ subject }) => subject === link.subject)) throw new Conflict('subject')
      if (there.some(({ userId }) => userId === link.userId)) throw new Conflict('issuer')
      links.push({ ...link, createdAt: new Date(now()) })
    },
    async remove(userId, issuer) {
      const before = links.length
      links = links.filter((link) => link.userId !== userId || link.issuer !== issuer)
      return links.length < before
    },
    removeSince(userId, since) {
      links = links.filter((link) => link.userId !== userId || link.createdAt < since)
    },
  }
}

function memoryAttempts(now: () => number): AttemptStore {
  const known = new Map<string, { atMs: number; nextAtMs: number; expiresAtMs: number }>()
  return {
    async count(key, { attempts, firstWaitMs, longestWaitMs }) {
      const before = known.get(key)
      // A test that is over may have been in the future.
      const { nextAtMs, expiresAtMs } =
        before && before.atMs <= now() ? before : { nextAtMs: 0, expiresAtMs: 0 }
      const unforgiven = Math.ceil(Math.max(0, expiresAtMs - now()) / longestWaitMs)
      if (nextAtMs > now()) return { count: unforgiven, waitMs: nextAtMs - now() }
      const count = unforgiven + 1
      const waitMs = count < attempts ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (count - attempts))
      known.set(key, {
        atMs: now(),
        nextAtMs: now() + waitMs,
        expiresAtMs: Math.max(expiresAtMs, now()) + longestWaitMs,
      })
      return { count, waitMs: 0 }
    },
    async forget(key) {
      known.delete(key)
    },
  }
}
