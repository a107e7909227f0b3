import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  Configuration,
  customFetch,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { z } from 'zod'
import { personName } from './foreign-sign-in.ts'
import type { ForeignSignIn } from './foreign-sign-in.ts'
import { isOnThisMachine, issuerFetch } from './issuer-fetch.ts'

export interface GithubOptions {
  clientId: string
  clientSecret: string
  /** GitHub's own when left out. */
  siteUrl?: string
  apiUrl?: string
}

const memorySchema = z.object({ verifier: z.string(), state: z.string() })

const personSchema = z.object({ id: z.number().int(), login: z.string(), name: z.string().nullish() })
const emailsSchema = z.array(
  z.object({
    email: z.email().max(254).toLowerCase(),
    primary: z.boolean(),
    verified: z.boolean(),
  }),
)

/**
 * GitHub: OAuth 2 without OpenID Connect, so the person is asked for over its API.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export function githubSignIn(options: GithubOptions): ForeignSignIn {
  const { clientId, clientSecret } = options
  const { siteUrl = 'https://github.com', apiUrl = 'https://api.github.com' } = options
  const issuer = `${siteUrl}/login/oauth`
  const fetchFrom = issuerFetch(siteUrl)
  const configuration = new Configuration(
    {
      issuer,
      authorization_endpoint: `${siteUrl}/login/oauth/authorize`,
      token_endpoint: `${siteUrl}/login/oauth/access_token`,
    },
    clientId,
    clientSecret,
  )
  configuration[customFetch] = fetchFrom
  if (isOnThisMachine(siteUrl)) allowInsecureRequests(configuration)

  async function ask<Schema extends z.ZodType>(path: string, token: string, schema: Schema) {
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      // Required: https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent
      'user-agent': 'Flamegate',
    }
    const answer = await fetchFrom(apiUrl + path, { method: 'GET', headers, body: null, redirect: 'manual' })
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${path}`)
    return schema.parse(await answer.json())
  }

  return {
    id: 'github',
    name: 'GitHub',
    issuer,
    async begin(redirectUri) {
      const memory = { verifier: randomPKCECodeVerifier(), state: randomState() }
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        code_challenge: await calculatePKCECodeChallenge(memory.verifier),
        code_challenge_method: 'S256',
        state: memory.state,
      })
      return { url: url.href, memory }
    },
    async finish(callback, memory) {
      const { verifier, state } = memorySchema.parse(memory)
      const { access_token: token } = await authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
      })
      const person = await ask('/user', token, personSchema)
      const emails = await ask('/user/emails', token, emailsSchema)
      const primary = emails.find((each) => each.primary)
      return {
        issuer,
        // The number: a login can be given up and taken by somebody else.
        subject: String(person.id),
        email: primary?.email,
        isEmailVerified: primary?.verified ?? false,
        name: personName(person.name ?? person.login, primary?.email),
      }
    },
  }
}
