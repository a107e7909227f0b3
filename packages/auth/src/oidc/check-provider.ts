import type { SsoCheck } from '@flamegate/operations/ports'
import { genericGrantRequest, randomPKCECodeVerifier, ResponseBodyError } from 'openid-client'
import type { Configuration, CustomFetch } from 'openid-client'
import { z } from 'zod'
import { discoverProvider, type OidcProvider } from './oidc-client.ts'
import { OidcFault, oidcFaultOf } from './oidc-fault.ts'

/** ID tokens are good for minutes, and nobody's clock is further off by accident. */
const clockToleranceMs = 30_000

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) })

/**
 * Asks a provider for all that a log-in asks it for, but for the person: its configuration and keys, and whether it knows the
 * client, by a code that it cannot have given. What comes after the first fault is left out.
 */
export async function checkProvider(
  provider: OidcProvider,
  redirectUri: string,
  now: () => number = Date.now,
): Promise<SsoCheck[]> {
  let apartMs: number | undefined
  const timed: CustomFetch = async (url, options) => {
    const answer = await provider.fetch(url, options)
    const theirs = Date.parse(answer.headers.get('date') ?? '')
    if (Number.isFinite(theirs)) apartMs ??= theirs - now()
    return answer
  }
  const steps: [SsoCheck['name'], (config: Configuration) => Promise<string>][] = [
    ['keys', (config) => lookAtKeys(config, timed)],
    ['client', (config) => lookAtClient(config, redirectUri)],
    ['clock', async () => lookAtClock(apartMs)],
  ]
  const checks: SsoCheck[] = []
  try {
    const config = await discoverProvider({ ...provider, fetch: timed })
    checks.push({ name: 'issuer', isOk: true, detail: 'The issuer’s configuration was found.' })
    for (const [name, look] of steps) {
      // oxlint-disable-next-line no-await-in-loop -- the one says whether the next makes sense
      const detail = await look(config).catch((error: unknown) => oidcFaultOf(error))
      if (detail instanceof OidcFault) return [...checks, { name, isOk: false, detail: detail.message }]
      checks.push({ name, isOk: true, detail })
    }
    return checks
  } catch (error) {
    return [...checks, { name: 'issuer', isOk: false, detail: oidcFaultOf(error).message }]
  }
}

async function lookAtKeys(config: Configuration, fetch: CustomFetch): Promise<string> {
  const { jwks_uri: address, authorization_endpoint, token_endpoint } = config.serverMetadata()
  if (address === undefined || authorization_endpoint === undefined || token_endpoint === undefined) {
    throw new OidcFault('no_configuration')
  }
  const answer = await fetch(address, { method: 'GET', headers: {}, body: null, redirect: 'manual' })
  const keys = keySetSchema.safeParse(await answer.json().catch(() => undefined))
  if (!keys.success) throw new OidcFault('keys')
  const count = keys.data.keys.length
  return `Its keys were read: ${count} of them.`
}

async function lookAtClient(config: Configuration, redirectUri: string): Promise<string> {
  try {
    await genericGrantRequest(config, 'authorization_code', {
      code: 'no-code-of-yours',
      redirect_uri: redirectUri,
      code_verifier: randomPKCECodeVerifier(),
    })
  } catch (error) {
    if (!(error instanceof ResponseBodyError)) throw error
    if (error.error === 'invalid_grant') return 'It accepts the client id and secret.'
    if (oidcFaultOf(error).reason === 'wrong_client') throw error
  }
  return 'It did not refuse the client id and secret; a log-in will tell for sure.'
}

function lookAtClock(apartMs: number | undefined): string {
  if (apartMs === undefined) return 'It does not tell its time.'
  if (Math.abs(apartMs) > clockToleranceMs) throw new OidcFault('clock')
  return 'Its clock and ours agree.'
}
