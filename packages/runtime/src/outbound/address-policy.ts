import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { OutboundRefused } from './outbound-refused.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

/** All addresses of a name; rejects when there are none. */
export type Resolver = (hostname: string) => Promise<ResolvedAddress[]>

export interface AddressPolicy {
  /** Lets 127.0.0.0/8 and ::1 through, for tests and for a single-machine set-up. */
  allowLoopback: boolean
  resolve?: Resolver
}

const resolveWithSystem: Resolver = (hostname) => systemLookup(hostname, { all: true, verbatim: true })

/** @throws OutboundRefused when an address written into the URL itself may not be called. */
export function checkLiteralAddress(hostname: string, policy: AddressPolicy): void {
  // The URL parser has already turned `2130706433`, `0x7f.1` and `017700000001` into `127.0.0.1`.
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (isIP(address) !== 0) checkAddress(address, policy)
}

/**
 * A `lookup` for `net.connect`. The connection goes to the very addresses that were checked here, so a name server
 * that answers differently the second time (DNS rebinding) is never asked a second time.
 */
export function guardedLookup(policy: AddressPolicy): LookupFunction {
  const lookup = callbackify(resolveChecked)
  return (hostname, options, callback) => {
    lookup(hostname, policy, (error, addresses) => {
      const first = addresses?.[0]
      if (error || !first) callback(error, [])
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

async function resolveChecked(hostname: string, policy: AddressPolicy): Promise<ResolvedAddress[]> {
  const resolve = policy.resolve ?? resolveWithSystem
  const addresses = await resolve(hostname).catch((cause: unknown) => {
    throw new OutboundRefused('name_not_found', 'The host name could not be resolved.', { cause })
  })
  if (addresses.length === 0) {
    throw new OutboundRefused('name_not_found', 'The host name could not be resolved.')
  }
  // One address inside is enough to refuse: a name that points to both sides is made for getting in.
  for (const { address } of addresses) checkAddress(address, policy)
  return addresses
}

function checkAddress(address: string, policy: AddressPolicy): void {
  if (isPublicAddress(address)) return
  if (policy.allowLoopback && isLoopbackAddress(address)) return
  throw new OutboundRefused('address_not_allowed', 'The address is not on the public internet.')
}
