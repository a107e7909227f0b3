import { isIPv6 } from 'node:net'

/**
 * Whom attempts from an address are counted for. A household or a rented machine has a whole /64 of IPv6, so that its
 * single addresses would be no limit at all.
 */
export function addressKey(ip: string): string {
  if (!isIPv6(ip)) return ip
  // An IPv4 caller of a socket for both: `::ffff:192.0.2.1`.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  // The URL parser writes the address in its one shortest form, without leading zeros.
  const [head = '', tail] = new URL(`http://[${ip.split('%')[0]}]/`).hostname.slice(1, -1).split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
