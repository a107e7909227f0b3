/** Who somebody is at another service. */
export interface ForeignPerson {
  /** The service's identifier (`iss`). */
  issuer: string
  /** The person's identifier there (`sub`); never given to anybody else. */
  subject: string
  /** Lower case. Undefined when the service does not tell. */
  email: string | undefined
  /** Whether the service says that the person reads mail to that address. */
  isEmailVerified: boolean
  name: string
}

/** A service that people may log in with. */
export interface ForeignSignIn {
  /** In our addresses. */
  id: 'oidc' | 'github' | 'google'
  /** On our pages. */
  name: string
  /** The service's identifier (`iss`). */
  issuer: string
  /**
   * Where to send the browser, and what `finish` has to know when it comes back to `redirectUri`.
   * Throws when the service cannot be reached.
   */
  begin(redirectUri: string): Promise<{ url: string; memory: Record<string, string> }>
  /** Who came back with `callback`, our address with its query. Throws when it was not what `begin` began. */
  finish(callback: URL, memory: Readonly<Record<string, unknown>>): Promise<ForeignPerson>
}

/** The name is not known everywhere, and ours may not be empty or long. */
export function personName(name: unknown, email: string | undefined): string {
  const text = typeof name === 'string' ? name.replaceAll('\0', '').trim() : ''
  return (text || email?.split('@')[0] || 'Somebody').slice(0, 100)
}
