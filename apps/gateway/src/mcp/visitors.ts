import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '@flamegate/contract'
import type { IdentityStore, VisibleChange } from '@flamegate/operations/ports'
import type { Logger } from '@flamegate/runtime'
import type { Place, ToolPolicy, ToolRegistry } from '@flamegate/surfaces'
import { createAddressReader } from './address.ts'
import type { Address } from './address.ts'
import { createMemberships, strongestRole } from './memberships.ts'
import { createPlaces } from './places.ts'
import type { CallAs } from './places.ts'
import { createToolListings } from './tool-listings.ts'
import type { ToolListing } from './tool-listings.ts'

/** Whoever sent a request, at the address to which they sent it. */
export interface Visitor {
  /** Narrowed to what the address allows: its workspace and project, and reading where it says so. */
  principal: Principal
  /** What is served there, but for the role and for views, which only listings need. */
  policy: ToolPolicy
  place: Place | undefined
}

export interface Visitors {
  /**
   * @param url Path and query as they came.
   * @throws Problem when the address means nothing to this person; the text says what there is
   */
  receive(url: string, headers: IncomingHttpHeaders, principal: Principal, callAs: CallAs): Promise<Visitor>
  /** What `tools/list` shows them, with the views of results or without: the same object while nothing changes. */
  listingFor(visitor: Visitor, hasViews: boolean): Promise<ToolListing>
  /** Looks at people's roles anew, because they may have changed. */
  forget(change: VisibleChange): void
}

export interface VisitorsOptions {
  identity: Pick<IdentityStore, 'listMemberships'>
  buildRegistry: (policy: ToolPolicy) => ToolRegistry
  log: Logger
}

export function createVisitors({ identity, buildRegistry, log }: VisitorsOptions): Visitors {
  const readAddress = createAddressReader()
  const memberships = createMemberships(identity)
  const places = createPlaces(memberships)
  const listings = createToolListings(buildRegistry)
  const narrowed = new WeakMap<Principal, Map<string, Principal>>()

  /** The same object each time, because what is made of a principal is kept by it. */
  function narrow(principal: Principal, { isReadOnly }: Address, place: Place | undefined): Principal {
    if (!isReadOnly && place === undefined) return principal
    const made = narrowed.get(principal) ?? new Map<string, Principal>()
    narrowed.set(principal, made)
    const key = `${isReadOnly}|${place?.workspaceId ?? ''}|${place?.projectId ?? ''}`
    const known = made.get(key)
    if (known !== undefined) return known
    const narrower = {
      ...principal,
      ...(isReadOnly ? { isReadOnly } : {}),
      ...(place === undefined ? {} : { workspaceIds: [place.workspaceId] }),
      ...(place?.projectId === undefined ? {} : { projectId: place.projectId }),
    }
    made.set(key, narrower)
    return narrower
  }

  async function roleOf(principal: Principal) {
    try {
      return strongestRole(await memberships.of(principal))
    } catch (err) {
      log.warn({ err }, 'what people may do is not known: everything is listed')
      return undefined
    }
  }

  return {
    async receive(url, headers, principal, callAs) {
      const address = readAddress(url, headers)
      const { workspace, project, selection, hasOutputSchemas } = address
      const place =
        workspace === undefined ? undefined : await places.find(principal, workspace, project, callAs)
      const visitor = narrow(principal, address, place)
      return {
        principal: visitor,
        place,
        policy: {
          selection,
          hasOutputSchemas,
          isReadOnly: visitor.isReadOnly === true,
          fixes: place === undefined ? 'nothing' : place.projectId === undefined ? 'workspace' : 'project',
          toolsets: visitor.toolsets,
        },
      }
    },
    async listingFor({ principal, policy }, hasViews) {
      return listings({ ...policy, hasViews, role: await roleOf(principal) })
    },
    forget: (change) => memberships.forget(change),
  }
}
