import type { Caller } from '@flamegate/contract'
import type { PageRequest } from './stores.ts'

/** How a client became known: it registered, it is the address of its metadata, or it is an API token. */
export type OAuthClientKind = 'registered' | 'document' | 'machine'

/** What is noted of a client beside its metadata. */
export interface NotedClient {
  clientId: string
  kind: OAuthClientKind
  name: string
  /** Where its answers go: hosts, or apps' own schemes. */
  redirectHosts: string[]
}

/** What the OAuth server notes and asks about its clients. */
export interface OAuthClientRegistry {
  /** Notes a registration, or the same one again. */
  noteRegistration(client: NotedClient): Promise<void>
  /** Notes that a client got a token (at most once an hour), also one that never registered. */
  noteUse(client: NotedClient): Promise<void>
  /** Why an administrator blocked the client; undefined when nobody did. */
  findBlock(clientId: string): Promise<{ reason: string } | undefined>
  /** Forgets a client with its metadata, and revokes every grant it has. */
  remove(clientId: string): Promise<void>
}

/** A client metadata document or key set, as it was last fetched from its address. */
export interface ClientDocument {
  body: string
  fetchedAt: Date
  /** Until when nobody needs to ask again. */
  freshUntil: Date
}

export interface ClientDocumentStore {
  find(url: string): Promise<ClientDocument | undefined>
  /** In place of what was kept of that address before. */
  keep(url: string, document: { body: string; freshUntil: Date }): Promise<void>
}

export interface OAuthClient extends NotedClient {
  createdAt: Date
  firstUsedAt: Date | null
  lastUsedAt: Date | null
  /** How many people's grants it has now. */
  grantCount: number
  blockedAt: Date | null
  blockReason: string | null
}

/** OAuth clients of the whole installation, for its administrators; the operation checks that the caller is one. */
export interface OAuthClientStore {
  list(
    caller: Caller,
    page: PageRequest,
    filter: { search?: string | undefined; isBlocked?: boolean | undefined },
  ): Promise<OAuthClient[]>
  /**
   * Blocks a client, and revokes its grants on every process within a second; null lets it in again. Undefined when
   * there is no such client.
   */
  setBlock(
    caller: Caller,
    clientId: string,
    block: { reason: string } | null,
  ): Promise<{ client: OAuthClient; revokedGrants: number } | undefined>
  /** Clients without a grant that nobody used or registered since; removes them unless only asked to tell. */
  removeUnused(
    caller: Caller,
    options: { since: Date; isDryRun: boolean },
  ): Promise<{ clientId: string; name: string }[]>
}
