import type { McpTarget } from '../target/mcp-target.ts'
import { isLoopback } from '../target/allowed-load.ts'
import type { InsideOptions, Preparation, WantedInside } from './inside.ts'
import { Announcements, inspectorOfCommand } from './node/inspector-of-command.ts'
import { inspectorOfProcess } from './node/inspector-of-process.ts'
import { NodeProbe } from './node/node-probe.ts'
import { openProcess } from './node/open-process.ts'

/** A free port of this machine, which is told on stderr. */
const inspectorOptions = '--inspect=127.0.0.1:0 --inspect-publish-uid=http,stderr'

/**
 * Node.js is looked into by its inspector. Commands are started with one: NODE_OPTIONS reaches what npx, npm and scripts start,
 * too. What runs already is told to open its own, unless `--inspect` says where that is.
 */
export function prepareNode(
  target: McpTarget,
  wanted: WantedInside,
  options: InsideOptions,
): Preparation | undefined {
  const { inspect } = options
  if (inspect !== undefined) {
    return {
      target,
      attach: async () => new NodeProbe(await openProcess(inspect), wanted, options),
    }
  }
  if (target.kind === 'http') {
    const url = new URL(target.url)
    if (!isLoopback(url.hostname)) return undefined
    return {
      target,
      attach: async ({ pid }) => new NodeProbe(await inspectorOfProcess(pid, url), wanted, options),
    }
  }
  const announcements = new Announcements()
  const given = target.env['NODE_OPTIONS'] ?? options.env['NODE_OPTIONS'] ?? ''
  return {
    target: {
      ...target,
      env: { ...target.env, NODE_OPTIONS: `${given} ${inspectorOptions}`.trim() },
    },
    hear: (text) => announcements.hear(text),
    attach: async () => new NodeProbe(await inspectorOfCommand(announcements), wanted, options),
  }
}
