import { coversTarget, readTargetHost } from '@flamegate/contract'
import type { Caller } from '@flamegate/contract'
import type { Deps } from '../implement.ts'

/**
 * Whether a project may send requests to a host, as URL.host tells it: because the installation allows it, or the project
 * proved it. As things are now; to be asked anew for everything that begins later.
 */
export async function reachableHosts(
  { caller, deps }: { caller: Caller; deps: Pick<Deps, 'stores' | 'targets'> },
  projectId: string,
): Promise<(host: string) => boolean> {
  const targets = await deps.stores.targets.list(caller, projectId)
  const verified = new Set(targets.filter(({ method }) => method !== null).map(({ host }) => host))
  return (text) => {
    const host = readTargetHost(text)
    return host !== undefined && (deps.targets.isAllowed(host) || coversTarget(verified, host))
  }
}
