/** What people prove who they are with, besides their password. Used by the sign-in pages, never by operations. */
export interface AccountStore {
  tickets: TicketStore
  passkeys: PasskeyStore
  totp: TotpStore
  linkedSignIns: LinkedSignInStore
  attempts: AttemptStore

  rename(userId: string, name: string): Promise<void>
  /**
   * Sets the password, and ends in the same moment what was worth something by the old one: sessions but the one with
   * that hash, half log-ins, and links that would bring the old one back or choose another.
   */
  setPassword(userId: string, passwordHash: string, keepTokenHash?: string): Promise<void>
  /** Notes that the person reads mail sent to their address. */
  confirmEmail(userId: string): Promise<void>
  /**
   * Gives an account whose address nobody had confirmed to whoever reads its mail and chose this password: everything
   * that proved to be this person before is taken away (passkeys, one-time codes, linked sign-ins, sessions, tickets,
   * API tokens, connected apps), and the address is confirmed. Does nothing and says false when it was confirmed.
   */
  claim(userId: string, owner: { passwordHash: string; name?: string | undefined }): Promise<boolean>
  /**
   * Changes the address from one to the other, which is confirmed by it. An account that only claims the other, unconfirmed,
   * loses it for one that reaches nobody, with the links that went there. False when the account has another one by now.
   * Throws `Conflict('email')`.
   */
  changeEmail(userId: string, from: string, to: string): Promise<boolean>
  /**
   * Undoes a change of the address: takes away the password, the sessions, the tickets and the API tokens, connected
   * apps, passkeys, linked sign-ins and one-time codes that came since. Throws `Conflict('email')`.
   */
  restoreEmail(userId: string, email: string, since: Date): Promise<void>
  /** Ends every connected app of the person, within a second on every process. */
  revokeGrants(userId: string): Promise<void>

  /** Sessions that have not expired, newest first. */
  listSessions(userId: string): Promise<ListedSession[]>
  /** Ends all sessions but the one with that hash; all of them when there is none to keep. */
  removeSessions(userId: string, keepTokenHash?: string): Promise<void>
}

export interface ListedSession {
  tokenHash: string
  createdAt: Date
  expiresAt: Date
  userAgent: string
}

/** What a ticket is good for. */
export type TicketPurpose =
  | 'verify_email'
  | 'reset_password'
  | 'register_passkey'
  | 'use_passkey'
  | 'second_factor'
  | 'sign_in_elsewhere'
  | 'sign_up'
  | 'change_email'
  | 'undo_email_change'

/** A secret that was handed out, in a mail or in a cookie, to go on with something once. */
export interface Ticket {
  /** Whom it is about, where that is known. */
  userId: string | null
  payload: Record<string, unknown>
}

export interface TicketStore {
  add(ticket: Ticket & { secretHash: string; purpose: TicketPurpose; expiresAt: Date }): Promise<void>
  /** Undefined when unknown, for another purpose, expired or used. */
  find(secretHash: string, purpose: TicketPurpose): Promise<Ticket | undefined>
  /** The same, and uses it up: of two at once, one gets it. */
  take(secretHash: string, purpose: TicketPurpose): Promise<Ticket | undefined>
  /** Makes all tickets of a person for one purpose worthless. */
  discard(userId: string, purpose: TicketPurpose): Promise<void>
}

export interface Passkey {
  /** The credential's id in base64url. */
  id: string
  userId: string
  name: string
  /** COSE. */
  publicKey: Uint8Array<ArrayBuffer>
  /** As the authenticator counts; 0 when it does not. */
  counter: number
  transports: string[]
  /** Whether it may leave its device, and whether it has. */
  isBackupEligible: boolean
  isBackedUp: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

export interface PasskeyStore {
  find(id: string): Promise<Passkey | undefined>
  /** Oldest first. */
  list(userId: string): Promise<Passkey[]>
  /** Throws `Conflict('passkey')` when the credential is registered already. */
  add(passkey: Omit<Passkey, 'createdAt' | 'lastUsedAt'>): Promise<Passkey>
  noteUse(id: string, use: { counter: number; isBackedUp: boolean }): Promise<void>
  /** Whether it was there. */
  remove(userId: string, id: string): Promise<boolean>
}

export interface Totp {
  /** Encrypted. */
  sealedSecret: string
  /** Null until the first code has come. */
  confirmedAt: Date | null
}

/** One-time codes by time (RFC 6238) and the recovery codes that stand in for them. */
export interface TotpStore {
  find(userId: string): Promise<Totp | undefined>
  /** Begins anew, unless codes are in use: then it does nothing and says false. */
  begin(userId: string, sealedSecret: string): Promise<boolean>
  /** From now on codes are asked for. */
  confirm(userId: string, recoveryCodeHashes: readonly string[]): Promise<void>
  /** Takes the code of a time step; false when that step, or a later one, was taken before. */
  takeStep(userId: string, step: number): Promise<boolean>
  countRecoveryCodes(userId: string): Promise<number>
  /** Takes a recovery code; false when there is none like it. */
  takeRecoveryCode(userId: string, codeHash: string): Promise<boolean>
  replaceRecoveryCodes(userId: string, codeHashes: readonly string[]): Promise<void>
  remove(userId: string): Promise<void>
}

/** An account elsewhere that somebody may log in with. */
export interface LinkedSignIn {
  /** The other service's identifier (`iss`), an address. */
  issuer: string
  /** The person's identifier there (`sub`). */
  subject: string
  userId: string
  email: string
  createdAt: Date
}

export interface LinkedSignInStore {
  find(issuer: string, subject: string): Promise<LinkedSignIn | undefined>
  list(userId: string): Promise<LinkedSignIn[]>
  /** Throws `Conflict('subject')` when somebody has it, `Conflict('issuer')` when this person has another one there. */
  add(link: Omit<LinkedSignIn, 'createdAt'>): Promise<void>
  /** Whether it was there. */
  remove(userId: string, issuer: string): Promise<boolean>
}

/**
 * How many attempts are free, and how long one waits after each further one: twice as long as before, up to a limit.
 * Whenever the longest wait has passed, one attempt is forgiven.
 */
export interface AttemptLimit {
  attempts: number
  firstWaitMs: number
  longestWaitMs: number
}

/** Attempts, counted once for all processes. */
export interface AttemptStore {
  /**
   * Counts an attempt, and tells how many are not forgiven yet. `waitMs` is more than 0 when it comes too early: then
   * it was not counted, and nothing may come of it.
   */
  count(key: string, limit: AttemptLimit): Promise<{ count: number; waitMs: number }>
  /** Starts anew. */
  forget(key: string): Promise<void>
}
