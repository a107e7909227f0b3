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
  /** Lets further addresses through that the configuration names. */
  allows?: ((address: string) => boolean) | undefined
  resolve?: Resolver | undefined
}

const resolveWithSystem: Resolver = (hostname) => systemLookup(hostname, { all: true, verbatim: true })

/** @throws OutboundRefused when an address written into the URL itself may not be called. */
export function checkLiteralAddress(hostname: string, policy: AddressPolicy): void {
  // The URL parser has already turned `2130706433`, `0x7f.1` and `017700000001` into `127.0.0.1`.
  const address = literalAddress(hostname)
  if (address !== undefined) checkAddress(address, policy)
}

/**
 * All addresses of a host, as URL.hostname writes it, each of them checked.
 * @throws OutboundRefused when there are none, or one of them may not be called
 */
export async function checkedAddresses(hostname: string, policy: AddressPolicy): Promise<ResolvedAddress[]> {
  const address = literalAddress(hostname)
  if (address === undefined) return resolveChecked(hostname, policy)
  checkAddress(address, policy)
  return [{ address, family: isIP(address) }]
}

function literalAddress(hostname: string): string | undefined {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(address) === 0 ? undefined : address
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
  if (policy.allows?.(address) === true) return
  throw new OutboundRefused('address_not_allowed', 'The address is not on the public internet.')
}
