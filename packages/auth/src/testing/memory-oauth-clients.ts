import type {
  ClientDocument,
  ClientDocumentStore,
  NotedClient,
  OAuthClientRegistry,
} from '@flamegate/operations/ports'

export interface MemoryClients extends OAuthClientRegistry {
  /** Every client that was noted, with how often it was used. */
  listNoted(): (NotedClient & { uses: number })[]
  /** As an administrator does. */
  block(clientId: string, reason: string): void
  isBlocked(clientId: string): boolean
}

/** @param forget Removes metadata and grants of a client. */
export function createMemoryClients(forget: (clientId: string) => Promise<void>): MemoryClients {
  const noted = new Map<string, NotedClient & { uses: number }>()
  const blocks = new Map<string, { reason: string }>()
  const note = (client: NotedClient, uses: number) =>
    noted.set(client.clientId, { ...client, uses: (noted.get(client.clientId)?.uses ?? 0) + uses })

  return {
    async noteRegistration(client) {
      note(client, 0)
    },
    async noteUse(client) {
      note(client, 1)
    },
    findBlock: async (clientId) => blocks.get(clientId),
    async remove(clientId) {
      await forget(clientId)
      noted.delete(clientId)
    },
    listNoted: () => [...noted.values()],
    block: (clientId, reason) => blocks.set(clientId, { reason }),
    isBlocked: (clientId) => blocks.has(clientId),
  }
}

export function createMemoryClientDocuments(now: () => number): ClientDocumentStore {
  const documents = new Map<string, ClientDocument>()
  return {
    find: async (url) => documents.get(url),
    async keep(url, document) {
      documents.set(url, { ...document, fetchedAt: new Date(now()) })
    },
  }
}
