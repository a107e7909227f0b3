import { BlockList, isIP, isIPv4 } from 'node:net'

/** Addresses that a public web server cannot have: IANA's special-purpose registries, multicast, reserved space. */
const notPublicV4 = blockList('ipv4', [
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, some clouds' metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host agent: a public address that is only ever inside
  '169.254.0.0/16', // link-local, most clouds' metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, Oracle's metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
])

/** All of IPv6's public web is in 2000::/3, so that is allowed and everything else is not. */
const globalV6 = blockList('ipv6', ['2000::/3'])

const notPublicV6 = blockList('ipv6', [
  '2001::/23', // protocol assignments, Teredo (which carries an IPv4 address)
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, carries an IPv4 address
  '3fff::/20', // documentation
])

/** The well-known prefix of NAT64 (RFC 6052), through which networks without IPv4 reach it. */
const nat64 = blockList('ipv6', ['64:ff9b::/96'])

const loopback = blockList('ipv4', ['127.0.0.0/8'])
loopback.addAddress('::1', 'ipv6')

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** Is this the address of a server on the public internet? False for anything that is no IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4')
  // A zone id (`fe80::1%eth0`) only makes sense on a local link.
  if (isIP(address) !== 6 || address.includes('%')) return false
  const embedded = nat64.check(address, 'ipv6') ? embeddedV4(address) : undefined
  if (embedded !== undefined) return isPublicAddress(embedded)
  return globalV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
}

/** 127.0.0.0/8 and ::1 exactly; not their IPv4-mapped forms. */
export function isLoopbackAddress(address: string): boolean {
  if (isIPv4(address)) return loopback.check(address, 'ipv4')
  return isIP(address) === 6 && !/[.%]|ffff/i.test(address) && loopback.check(address, 'ipv6')
}

/** The last 32 bits of an IPv6 address in IPv4's notation; the URL parser writes them as two hexadecimal groups. */
function embeddedV4(address: string): string {
  const [high = '0', low = '0'] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':').slice(-2)
  const bits = [high, low].map((group) => Number.parseInt(group === '' ? '0' : group, 16))
  return bits.flatMap((group) => [group >> 8, group & 255]).join('.')
}
