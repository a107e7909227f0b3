import type { Role, Scope } from '@flamegate/contract'
import type { AccountStore } from './accounts.ts'
import type { GrantChoices, GrantStore } from './grants.ts'
import type { ClientDocumentStore, OAuthClientRegistry } from './oauth-clients.ts'
import type { DataKeyStore } from './sealing.ts'
import type { SecurityLog } from './security-log.ts'
import type { ScimEntrance } from './scim.ts'
import type { SsoStore } from './sso.ts'

/** Who people are and what proves it. Used by authentication and by the OAuth server, never by operations. */
export interface User {
  id: string
  /** Lower case. */
  email: string
  name: string
  /** Argon2id, in its encoded form; null for somebody who only logs in by other means. */
  passwordHash: string | null
  /** When it was seen that they read mail to their address; null if never. */
  emailVerifiedAt: Date | null
  createdAt: Date
  /** Since when an administrator of the installation shuts them out. */
  disabledAt: Date | null
}

export type NewUser = Omit<User, 'createdAt' | 'emailVerifiedAt' | 'disabledAt'> & {
  emailVerifiedAt?: Date | null
}

export interface Session {
  userId: string
  createdAt: Date
  expiresAt: Date
  /** When the person last proved who they are; null if that is not known. */
  provedAt: Date | null
}

/** A row of the OAuth server's own storage (oidc-provider's adapter). */
export interface OAuthRecord {
  payload: Record<string, unknown>
  /** How long ago it was consumed first, by the one clock that all processes share; null when it was not. */
  consumedMsAgo: number | null
  expiresAt: Date | null
}

/** An API token that is good, and for whom. */
export interface ApiTokenProof {
  id: string
  name: string
  userId: string
  workspaceId: string
  /** The only project that it is for; all of the workspace where there is none. */
  projectId?: string | null
  /** The only live app that it can push to; it can do nothing else then. */
  liveAppId?: string | null
  scopes: Scope[]
  expiresAt: Date | null
}

/** A project that takes uploads of CI jobs without a token. */
export interface KeylessProject {
  id: string
  workspaceId: string
  /** In whose name: who let it, and is still a member who may write. */
  userId: string
}

/** Uploads without a stored secret. */
export interface KeylessStore {
  /** The projects of a repository, whose case does not count, that let them; over all workspaces. */
  listProjects(repository: string): Promise<KeylessProject[]>
  /** Adds a token that may upload to the project until then. */
  addToken(
    project: KeylessProject,
    token: { id: string; name: string; prefix: string; tokenHash: string; expiresAt: Date },
  ): Promise<void>
}

/** Whom to write to about an invitation. */
export interface UnmailedInvitation {
  id: string
  email: string
  /** E-mail of whoever invited them. */
  invitedBy: string
  expiresAt: Date
}

/** A workspace as one of its members knows it. */
export interface Membership {
  workspaceId: string
  slug: string
  name: string
  role: Role
}

export interface IdentityStore {
  findUserByEmail(email: string): Promise<User | undefined>
  findUser(id: string): Promise<User | undefined>
  /**
   * Creates a person together with their first workspace, in which they are owner; open invitations for the
   * e-mail are not accepted by this. Throws `Conflict('email')`, also while its former owner may still take it back.
   */
  createUser(user: NewUser, workspace: { id: string; slug: string; name: string }): Promise<User>
  /**
   * Makes a person a member by an unexpired invitation; undefined when there is none like it for this e-mail. One that
   * is named by its id, which is no secret, wants an e-mail that was confirmed.
   */
  acceptInvitation(
    userId: string,
    invitation: { tokenHash: string } | { id: string },
  ): Promise<{ workspaceId: string; role: Role } | undefined>
  /** Invitations that nobody was written about, oldest first; each of them is given once, whoever asks. */
  takeUnmailedInvitations(): Promise<UnmailedInvitation[]>

  /** The workspaces of a person, by name. */
  listMemberships(userId: string): Promise<Membership[]>

  createSession(session: {
    tokenHash: string
    userId: string
    expiresAt: Date
    userAgent: string
    provedAt?: Date | null
    /** Whose provider let the person in. */
    ssoWorkspaceId?: string | undefined
  }): Promise<void>
  /** Undefined when unknown, expired, or of a person who may only come in by a provider that did not let this one in. */
  findSession(tokenHash: string): Promise<Session | undefined>
  /** Lets a session last until then; false when it has ended or expired, which it then stays. */
  extendSession(tokenHash: string, expiresAt: Date): Promise<boolean>
  removeSession(tokenHash: string): Promise<void>
  /** Notes that the person of a session has just proved who they are. */
  noteProof(tokenHash: string): Promise<void>

  accounts: AccountStore
  sso: SsoStore
  scim: ScimEntrance
  securityLog: SecurityLog

  /** Undefined when unknown, expired, revoked, or blocked as a client. Notes the use (at most once a minute). */
  findApiToken(tokenHash: string): Promise<ApiTokenProof | undefined>
  /** The same by its id, which proves nothing by itself. */
  findApiTokenById(id: string): Promise<(ApiTokenProof & { tokenHash: string }) | undefined>

  keyless: KeylessStore

  grants: GrantStore

  oauth: {
    upsert(
      model: string,
      id: string,
      record: {
        payload: Record<string, unknown>
        grantId?: string
        userCode?: string
        uid?: string
        accountId?: string
        expiresAt?: Date
      },
    ): Promise<void>
    /** The same, unless there is one with this id already: then that one stays, and the answer is false. */
    add(model: string, id: string, record: Parameters<IdentityStore['oauth']['upsert']>[2]): Promise<boolean>
    find(model: string, id: string): Promise<OAuthRecord | undefined>
    findByUid(model: string, uid: string): Promise<OAuthRecord | undefined>
    findByUserCode(model: string, userCode: string): Promise<OAuthRecord | undefined>
    /** False when it was consumed before, or is gone. */
    consume(model: string, id: string): Promise<boolean>
    /**
     * Notes that a program asks whether a device code is allowed. False when it came before its interval was over, 5
     * seconds at first, which is 5 seconds longer from then on.
     */
    notePoll(deviceCodeId: string): Promise<boolean>
    destroy(model: string, id: string): Promise<void>
    /** Removes every record of a grant and marks the grant revoked everywhere. */
    revokeGrant(grantId: string): Promise<void>
    /** Notes what a person allowed a client, for the list of connected apps. */
    noteGrant(grant: {
      id: string
      userId: string
      clientId: string
      clientName: string
      /** Host of the client metadata document that vouches for the name; null when the client chose it itself. */
      verifiedDomain: string | null
      scopes: Scope[]
      choices: GrantChoices
    }): Promise<void>
    /** Adds up calls made under a grant. */
    noteUse(grantId: string, calls: number, at: Date): Promise<void>
  }

  oauthClients: OAuthClientRegistry
  clientDocuments: ClientDocumentStore

  /**
   * Keys shared by all processes, those that are used first: active ones, newest first, and after them those that
   * will be active; made on first use by `make`, once, whoever comes first.
   * `kind` says what for: `jwks`, `cookie`, `assertion`, `confirmation`, `storage`, `audit`, `secret`.
   */
  keys(kind: string, make: () => Promise<Record<string, unknown>>): Promise<Record<string, unknown>[]>
  /** Adds a key that becomes the one in use at `activeAt`, and retires those that were replaced 30 days ago. */
  addKey(kind: string, key: Record<string, unknown>, activeAt: Date): Promise<void>
  dataKeys: DataKeyStore

  /**
   * Calls back for every grant that was revoked or whose choices changed, lately and from now on, within a second, on
   * every process.
   */
  watchRevocations(onRevoked: OnRevoked): Promise<{ close(): Promise<void> }>

  /**
   * Calls back when somebody may see other tools or resources from now on, on every process. `catalogue` names what
   * this process offers: for processes that offer something else that is a change too.
   */
  watchVisibleChanges(
    catalogue: string,
    onChange: (change: VisibleChange) => void,
  ): Promise<{ close(): Promise<void> }>
}

/**
 * Tokens of the grant are dead: all of them, or with `choicesVersion` those that say an older version of what its person
 * chose.
 */
export type OnRevoked = (grantId: string, choicesVersion?: number) => void

/** Whose lists may look different: those of one person, or of all. */
export type VisibleChange = { userId: string } | 'everybody'
