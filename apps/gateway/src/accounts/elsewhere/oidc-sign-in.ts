import { beginOidc, discoverProvider, finishOidc } from '@flamegate/auth/oidc'
import { personName } from './foreign-sign-in.ts'
import type { ForeignSignIn } from './foreign-sign-in.ts'
import { isOnThisMachine, issuerFetch } from './issuer-fetch.ts'

export interface OidcOptions {
  id: 'oidc' | 'google'
  name: string
  /** As the service writes it: its configuration is looked for below it. */
  issuer: string
  clientId: string
  clientSecret: string
}

/** Any OpenID Connect provider that the settings name. */
export function oidcSignIn({ id, name, issuer, clientId, clientSecret }: OidcOptions): ForeignSignIn {
  const provider = {
    issuer,
    clientId,
    clientSecret,
    fetch: issuerFetch(issuer),
    allowHttp: isOnThisMachine(issuer),
  }
  let known: ReturnType<typeof discoverProvider> | undefined

  /** Asked for on first use, so that we start although the service is away; and again after a failure. */
  function configuration(): ReturnType<typeof discoverProvider> {
    known ??= discoverProvider(provider).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  return {
    id,
    name,
    issuer,
    begin: async (redirectUri) => beginOidc(await configuration(), redirectUri),
    async finish(callback, memory) {
      const { name: fullName, ...person } = await finishOidc(await configuration(), callback, memory)
      return { issuer, ...person, name: personName(fullName, person.email) }
    },
  }
}
