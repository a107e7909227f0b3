import { addressKey } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { AttemptStore } from '@flamegate/operations/ports'
import { errors } from 'oidc-provider'
import type { Client, Configuration } from 'oidc-provider'
import { countAttempts, rate } from '../accounts/counted-attempts.ts'

/** Which clients may come, as the operator says it. */
export interface ClientPolicy {
  /** Whether a client may be the address of its metadata document; else it registers. */
  hasDocuments: boolean
  /** Domains of such clients: only these, if there are any. A domain stands for its subdomains too. */
  allowedDomains: readonly string[]
  blockedDomains: readonly string[]
}

export const anyClient: ClientPolicy = { hasDocuments: true, allowedDomains: [], blockedDomains: [] }

type Context = Parameters<NonNullable<Configuration['findAccount']>>[0]

/** Longer ids would not fit into listings and the audit log. */
const maxIdLength = 300

/** Fetches that a stranger at one address can make us do. */
const fetchLimit = rate(300, 3_600_000)

/** Lets clients in, or not, that are the address of their metadata; asked before it is fetched and when it is used. */
export function documentAdmission(policy: ClientPolicy, attempts: AttemptStore) {
  const fetches = countAttempts(attempts, 'clientDocuments', fetchLimit)

  function admit(clientId: string): boolean {
    if (clientId.length > maxIdLength) {
      throw new errors.InvalidClient(`A client id has at most ${maxIdLength} characters`)
    }
    if (allowsDomainOf(policy, clientId)) return true
    throw new errors.InvalidClient('The administrators of this server do not admit clients of this domain')
  }

  return {
    async allowFetch(context: Context, clientId: string): Promise<boolean> {
      try {
        await fetches.count(addressKey(context.ip))
      } catch (error) {
        if (error instanceof Problem) throw new errors.TemporarilyUnavailable(error.message)
        throw error
      }
      return admit(clientId)
    },
    allowClient: (_context: Context, { clientId }: Client) => admit(clientId),
  }
}

function allowsDomainOf({ allowedDomains, blockedDomains }: ClientPolicy, clientId: string): boolean {
  // With a dot at its end, as DNS writes it in full, it is the same domain.
  const host = (URL.parse(clientId)?.hostname ?? '').replace(/\.$/, '')
  const isOf = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  return !blockedDomains.some(isOf) && (allowedDomains.length === 0 || allowedDomains.some(isOf))
}
