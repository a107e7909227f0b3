import type { CliCredentials } from '../login/credentials.ts'
import { Refusal } from '../refusal.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Sends with the credential, and once more with another one when it was refused and there is a way to another one. */
export function authorizedFetch({ url: site, token }: CliCredentials, fetch: Fetch): Fetch {
  const renewals = new Map<string | undefined, Promise<string>>()

  return async (url, init) => {
    const sendAs = (bearer: string) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${bearer}`)
      return fetch(url, { ...init, headers })
    }
    const current = await askFor()
    const response = await sendAs(current)
    if (response.status !== 401) return response
    await response.body?.cancel()
    const other = await askFor(current)
    const again = other === current ? undefined : await sendAs(other)
    if (again !== undefined && again.status !== 401) return again
    throw new Refusal(`${site} refuses the token: it was taken back, or is for another site.`)
  }

  /** Requests that go out at the same time wait for the same renewal. */
  function askFor(refused?: string): Promise<string> {
    if (typeof token === 'string') return Promise.resolve(token)
    const renewal = renewals.get(refused) ?? token(refused).finally(() => void renewals.delete(refused))
    renewals.set(refused, renewal)
    return renewal
  }
}
