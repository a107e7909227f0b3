import { Resolver } from 'node:dns/promises'
import { proofPlaces } from '@flamegate/contract/target-host'
import type { Resolver as AddressResolver } from './address-policy.ts'
import type { AllowedTargets } from './allowed-targets.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { OutboundRefused } from './outbound-refused.ts'

/** How whoever runs a host showed that a project may aim at it, or why it was not found. */
export type TargetProof = { method: 'file' | 'dns' } | { failure: string }

export interface ProofOptions {
  /** Hosts of the operator's own network are asked where these say so. */
  allowed: Pick<AllowedTargets, 'hasAddress'>
  /** Instead of the system's. */
  resolve?: AddressResolver
  resolveTxt?: (name: string) => Promise<string[][]>
}

const proofBytesMax = 4096
const timeoutMs = 10_000

/**
 * Looks for the token of a host, as readTargetHost gives it, in all places where it may be. No redirect is followed, for
 * whoever can make a host redirect does not run it.
 */
export async function findProof(host: string, token: string, options: ProofOptions): Promise<TargetProof> {
  const { fileUrls, dnsName } = proofPlaces(host)
  const [files, records] = await Promise.all([
    Promise.all(fileUrls.map((url) => faultOfFile(url, token, options))),
    Promise.all((dnsName === null ? [] : [dnsName]).map((name) => findTxt(name, token, options.resolveTxt))),
  ])
  if (files.includes(undefined)) return { method: 'file' }
  if (records.includes(undefined)) return { method: 'dns' }
  return { failure: [...files, ...records].join(' ') }
}

/** Undefined when the token is there, else what is there instead. */
async function faultOfFile(
  url: string,
  token: string,
  { allowed, resolve }: ProofOptions,
): Promise<string | undefined> {
  try {
    const { status, body } = await guardedFetch(url, {
      maxBytes: proofBytesMax,
      timeoutMs,
      maxRedirects: 0,
      allowedSchemes: ['https', 'http'],
      allows: allowed.hasAddress,
      ...(resolve === undefined ? {} : { resolve }),
    })
    if (status !== 200) return `${url} answered ${status}.`
    return new TextDecoder().decode(body).trim() === token ? undefined : `${url} has something else in it.`
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error
    return `${url}: ${error.message}`
  }
}

/** Looks for a TXT record that is the token: undefined when it is there, else what is there instead. */
export async function findTxt(
  name: string,
  token: string,
  resolveTxt: ProofOptions['resolveTxt'] = resolvedBy([]),
): Promise<string | undefined> {
  try {
    const records = await resolveTxt(name)
    const isThere = records.some((parts) => parts.join('').trim() === token)
    return isThere ? undefined : `The TXT record ${name} has something else in it.`
  } catch {
    return `There is no TXT record ${name}.`
  }
}

/** @param servers Name servers that are asked; the system's when there are none. */
export function resolvedBy(servers: readonly string[]): (name: string) => Promise<string[][]> {
  const resolver = new Resolver({ timeout: timeoutMs / 2, tries: 1 })
  if (servers.length > 0) resolver.setServers(servers)
  return (name) => resolver.resolveTxt(name)
}
