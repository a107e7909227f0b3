import { BlockList, isIP } from 'node:net'
import { coversTarget, hostnameOfTarget, readTargetHost } from '@flamegate/contract/target-host'

/** What whoever runs the installation lets virtual users of every project aim at, without a proof. */
export interface AllowedTargets {
  /** A host as readTargetHost gives it: by its name, or because it is an address that is allowed. All of its ports are. */
  hasHost: (host: string) => boolean
  /** An address that is not on the public internet, and may be connected to all the same. */
  hasAddress: (address: string) => boolean
}

/**
 * Reads hosts, `*.example.com`, addresses and CIDR ranges.
 * @throws RangeError that names the entry which is none of these
 */
export function allowedTargets(entries: readonly string[]): AllowedTargets {
  const hosts = new Set<string>()
  // Apart, because a list of both takes ::ffff:127.0.0.1 for 127.0.0.1.
  const ranges = { 4: new BlockList(), 6: new BlockList() }
  for (const entry of entries) {
    const [network = '', prefix] = entry.replaceAll(/[[\]]/g, '').split('/')
    const family = isIP(network)
    if (family === 4 || family === 6) addRange(ranges[family], family, network, prefix, entry)
    else hosts.add(nameIn(entry))
  }

  function hasAddress(address: string): boolean {
    const family = isIP(address)
    // A zone id (`fe80::1%eth0`) only makes sense on a local link.
    if ((family !== 4 && family !== 6) || address.includes('%')) return false
    return ranges[family].check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
  return {
    hasHost(host) {
      const hostname = hostnameOfTarget(host)
      return coversTarget(hosts, hostname) || hasAddress(hostname.replaceAll(/[[\]]/g, ''))
    },
    hasAddress,
  }
}

function addRange(
  list: BlockList,
  family: 4 | 6,
  network: string,
  prefix: string | undefined,
  entry: string,
): void {
  const bits = family === 4 ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!(length <= bits)) throw new RangeError(`${entry} is no range of addresses.`)
  list.addSubnet(network, length, family === 4 ? 'ipv4' : 'ipv6')
}

function nameIn(entry: string): string {
  const host = readTargetHost(entry)
  if (host === undefined || host !== hostnameOfTarget(host))
    throw new RangeError(`${entry} is no host, *.domain, address or CIDR range.`)
  return host
}
