import { Conflict } from '@flamegate/operations/ports'
import type { Membership, SsoConnection, SsoIdentity, SsoStore, User } from '@flamegate/operations/ports'

/** A workspace's provider as tests set it. */
export interface MemoryConnection extends SsoConnection {
  domains: string[]
  isRequired?: boolean
}

/** An `SsoStore` without a database. */
export interface MemorySso extends SsoStore {
  connections: MemoryConnection[]
}

export function createMemorySso({
  users,
  memberships,
}: {
  users: ReadonlyMap<string, User>
  memberships: Map<string, Membership[]>
}): MemorySso {
  const connections: MemoryConnection[] = []
  const people: (SsoIdentity & { userId: string })[] = []
  const domainOf = (userId: string) => users.get(userId)?.email.split('@').at(-1) ?? ''
  const membershipsOf = (userId: string) => memberships.get(userId) ?? []

  return {
    connections,
    find: async (workspaceId) => connections.find((each) => each.workspaceId === workspaceId),
    findBySlug: async (slug) => connections.find((each) => each.slug === slug),
    findByDomain: async (domain) => connections.find(({ domains }) => domains.includes(domain)),
    isInUse: async () => connections.length > 0,
    hasDomain: async (workspaceId, domain) =>
      connections.some((each) => each.workspaceId === workspaceId && each.domains.includes(domain)),
    findRequired: async (userId) =>
      connections.find(
        ({ workspaceId, domains, isRequired }) =>
          isRequired === true &&
          domains.includes(domainOf(userId)) &&
          membershipsOf(userId).some((each) => each.workspaceId === workspaceId && each.role !== 'owner'),
      ),
    findPerson: async (identity) => people.find((person) => isSame(person, identity))?.userId,
    async join({ workspaceId, issuer, subject, userId, role }) {
      const known = people.find((person) => isSame(person, { workspaceId, issuer, subject }))
      if (known !== undefined && known.userId !== userId) throw new Conflict('subject')
      const isElse = (person: (typeof people)[number]) =>
        person.userId === userId && person.workspaceId === workspaceId && person.issuer === issuer
      if (known === undefined && people.some(isElse)) throw new Conflict('issuer')
      if (known === undefined) people.push({ workspaceId, issuer, subject, userId })
      const held = membershipsOf(userId)
      if (held.some((each) => each.workspaceId === workspaceId)) return { hasJoined: false }
      memberships.set(userId, [...held, { workspaceId, slug: workspaceId, name: workspaceId, role }])
      return { hasJoined: true }
    },
    letsIn: async (userId) => people.some((person) => person.userId === userId),
  }
}

function isSame(one: SsoIdentity, other: SsoIdentity): boolean {
  return one.workspaceId === other.workspaceId && one.issuer === other.issuer && one.subject === other.subject
}
