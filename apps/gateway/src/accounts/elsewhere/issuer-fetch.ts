import { providerFetch } from '@flamegate/runtime'
import type { CustomFetch } from 'openid-client'

/**
 * How a service of the settings is asked, for `openid-client` and by ourselves. One that the settings say is on this very
 * machine is let through, and then without TLS too.
 */
export function issuerFetch(issuer: string): CustomFetch {
  const allowLoopback = isOnThisMachine(issuer)
  return providerFetch({ allowLoopback, allowedSchemes: allowLoopback ? ['https', 'http'] : ['https'] })
}

export function isOnThisMachine(issuer: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(issuer).hostname)
}
