import { addressOf } from '../../capture/capture-options.ts'
import { isLoopback } from '../target/allowed-load.ts'
import type { McpTarget } from '../target/mcp-target.ts'
import type { InsideOptions, Preparation, WantedInside } from './inside.ts'
import { GoProbe } from './go/go-probe.ts'

/** A program in Go is looked into by the addresses of net/http/pprof, which it has to serve by itself: `--pprof` says where. */
export function prepareGo(
  target: McpTarget,
  wanted: WantedInside,
  options: InsideOptions,
): Preparation | undefined {
  if (options.pprof === undefined) return undefined
  const url = addressOf('pprof', options.pprof)
  return {
    target,
    attach() {
      if (!isLoopback(new URL(url).hostname)) {
        throw new Error(`${url} is not this machine, where its profiles are taken.`)
      }
      return Promise.resolve(new GoProbe(url, wanted, options))
    },
  }
}
