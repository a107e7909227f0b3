import type { Role, Scope } from '@flamegate/contract'

/** Who people are and what proves it. Used by authentication and by the OAuth server, never by operations. */
export interface User {
  id: string
  /** Lower case. */
  email: string
  name: string
  /** Argon2id, in its encoded form. */
  passwordHash: string
  createdAt: Date
}

export interface Session {
  userId: string
  createdAt: Date
  expiresAt: Date
}

/** A row of the OAuth server's own storage (oidc-provider's adapter). */
export interface OAuthRecord {
  payload: Record<string, unknown>
  consumedAt: Date | null
  expiresAt: Date | null
}

export interface IdentityStore {
  findUserByEmail(email: string): Promise<User | undefined>
  findUser(id: string): Promise<User | undefined>
  /**
   * Creates a person together with their first workspace, in which they are owner; open invitations for the
   * e-mail are not accepted by this. Throws `Conflict('email')`.
   */
  createUser(
    user: Omit<User, 'createdAt'>,
    workspace: { id: string; slug: string; name: string },
  ): Promise<User>
  /** Makes a person a member by an unexpired invitation; undefined when the token fits none for this e-mail. */
  acceptInvitation(
    userId: string,
    tokenHash: string,
  ): Promise<{ workspaceId: string; role: Role } | undefined>

  createSession(session: {
    tokenHash: string
    userId: string
    expiresAt: Date
    userAgent: string
  }): Promise<void>
  /** Undefined when unknown or expired. */
  findSession(tokenHash: string): Promise<Session | undefined>
  removeSession(tokenHash: string): Promise<void>

  /** Undefined when unknown, expired or revoked. Notes the use (at most once a minute). */
  findApiToken(tokenHash: string): Promise<
    | {
        id: string
        name: string
        userId: string
        workspaceId: string
        scopes: Scope[]
        expiresAt: Date | null
      }
    | undefined
  >

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
    find(model: string, id: string): Promise<OAuthRecord | undefined>
    findByUid(model: string, uid: string): Promise<OAuthRecord | undefined>
    findByUserCode(model: string, userCode: string): Promise<OAuthRecord | undefined>
    consume(model: string, id: string): Promise<void>
    destroy(model: string, id: string): Promise<void>
    /** Removes every record of a grant and marks the grant revoked everywhere. */
    revokeGrant(grantId: string): Promise<void>
    /** Notes what a person allowed a client, for the list of connected apps. */
    noteGrant(grant: {
      id: string
      userId: string
      clientId: string
      clientName: string
      scopes: Scope[]
    }): Promise<void>
    /** Adds up calls made under a grant. */
    noteUse(grantId: string, calls: number, at: Date): Promise<void>
  }

  /**
   * Keys shared by all processes, newest first; made on first use by `make`, once, whoever comes first.
   * `kind` is `jwks`, `cookie` or `assertion`.
   */
  keys(kind: string, make: () => Promise<Record<string, unknown>>): Promise<Record<string, unknown>[]>

  /** Calls back for every grant revoked lately and from now on, within a second, on every process. */
  watchRevocations(onRevoked: (grantId: string) => void): Promise<{ close(): Promise<void> }>
}
