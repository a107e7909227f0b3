import { targetHostOf } from '@flamegate/contract/target-host'
import { checkedAddresses, type Resolver } from './address-policy.ts'
import type { AllowedTargets } from './allowed-targets.ts'
import { OutboundRefused } from './outbound-refused.ts'

/** Names are looked up within this time, or not at all. */
const lookupMsMax = 10_000

interface TargetGateOptions {
  allowed: AllowedTargets
  /** Whether the project has proved that it may aim at a host, in the form of readTargetHost. */
  isVerified: (host: string) => boolean
  /** Instead of the system's resolver. */
  resolve?: Resolver
}

export interface TargetGate {
  resolve: (host: string, port: number) => Promise<{ address: string; family: 4 | 6 }[]>
}

/**
 * Where connections of a virtual user may go. A host has to be verified, or allowed by the configuration; then it is looked
 * up once, and each of its addresses has to be on the public internet, or allowed by the configuration. To be asked for every
 * connection, each hop of a redirect among them, and to be connected to at the addresses that it gives: a name that means
 * another address the next time is checked anew then. Rejects with OutboundRefused, of which the message is for people.
 */
export function createTargetGate({ allowed, isVerified, resolve }: TargetGateOptions): TargetGate {
  return {
    async resolve(host, port) {
      const target = targetHostOf(host, port)
      if (target === undefined)
        throw new OutboundRefused('invalid_url', `${JSON.stringify(host)} is no host that can be aimed at.`)
      if (!allowed.hasHost(target) && !isVerified(target)) {
        throw new OutboundRefused(
          'target_not_verified',
          `${target} is no verified target of this project, so nothing is sent there. Verify it first.`,
        )
      }
      const hostname = new URL(`http://${target}`).hostname
      const addresses = await inTime(
        checkedAddresses(hostname, { allowLoopback: false, allows: allowed.hasAddress, resolve }),
      )
      return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
    },
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new OutboundRefused('timed_out', 'The host name could not be looked up in time.')),
      lookupMsMax,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
