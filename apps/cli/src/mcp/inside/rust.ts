import { isLoopback } from '../target/allowed-load.ts'
import type { McpTarget } from '../target/mcp-target.ts'
import type { InsideOptions, Preparation, WantedInside } from './inside.ts'
import { HotpathProbe } from './rust/hotpath-probe.ts'

/** A program in Rust with hotpath tells its functions at a port: `--hotpath` says which. Without, it is sampled as machine code. */
export function prepareRust(
  target: McpTarget,
  _wanted: WantedInside,
  { hotpath, env }: InsideOptions,
): Preparation | undefined {
  if (hotpath === undefined) return undefined
  const given = /^\d+$/.test(hotpath) ? `http://127.0.0.1:${hotpath}` : hotpath
  return {
    target,
    attach() {
      const url = new URL(/^https?:\/\//.test(given) ? given : `http://${given}`)
      if (!isLoopback(url.hostname)) throw new Error(`${url.origin} is not this machine.`)
      return Promise.resolve(new HotpathProbe(url.origin, env['HOTPATH_METRICS_AUTH_TOKEN']))
    },
  }
}
