import { isIP } from 'node:net'
import type { Client } from '@flamegate/client'
import { coversTarget, targetHostOf } from '@flamegate/contract/target-host'
import { listTargets } from '@flamegate/contract/virtual-users/list-targets'
import { UsageError } from '../../usage-error.ts'
import type { McpTarget } from './mcp-target.ts'

/** How to ask the platform what a project may aim at. */
export interface LoadLicence {
  /** @throws UsageError when nobody is logged in */
  client: () => Client
  projectId: string | undefined
}

/**
 * Load goes to this machine, or to hosts that a project has proved to be its own, as that of virtual users does.
 * @throws UsageError for any other
 */
export async function requireAllowedLoad(
  target: McpTarget,
  { client, projectId }: LoadLicence,
): Promise<void> {
  if (target.kind === 'stdio') return
  const { hostname, port, protocol } = new URL(target.url)
  if (isLoopback(hostname)) return
  const host = targetHostOf(hostname, Number(port) || (protocol === 'https:' ? 443 : 80))
  const refused = `${host ?? hostname} is not this machine, and load is made only on hosts that are proved to be yours`
  if (projectId === undefined) {
    throw new UsageError(
      `${refused}: log in with flamegate login, verify it for a project (verify_target, or the page Targets), and give the project as --project prj_… or FLAMEGATE_PROJECT.`,
    )
  }
  const { targets } = await client().call(listTargets, { project_id: projectId })
  const verified = new Set(targets.filter((each) => each.is_verified).map((each) => each.host))
  if (host !== undefined && coversTarget(verified, host)) return
  throw new UsageError(
    `${refused}. It is no verified target of ${projectId}: verify_target, or the page Targets, says how.`,
  )
}

/** As URL.hostname writes it. Names that only mean this machine today are not believed. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
}
