import { cpus } from 'node:os'
import type { McpResourceSample } from '@flamegate/mcp-profiling'

/** What others than the server and this process do on the machine's processors while something is measured. */
export class OtherWork {
  readonly #beganAtMs = performance.now()
  readonly #busyBeforeMs = busyMs()
  readonly #ownBefore = process.cpuUsage()

  /** Of all processors together, 0 to 1, since it was made. `samples` are the server's from then on. */
  share(samples: readonly McpResourceSample[]): number {
    const passedMs = performance.now() - this.#beganAtMs
    const own = process.cpuUsage(this.#ownBefore)
    const serverMs = samples.reduce(
      (sum, { atMs, cpuPercent }, at) => sum + (cpuPercent / 100) * (atMs - (samples[at - 1]?.atMs ?? 0)),
      0,
    )
    const othersMs = busyMs() - this.#busyBeforeMs - (own.user + own.system) / 1000 - serverMs
    return Math.min(1, Math.max(0, othersMs / (passedMs * cpus().length)))
  }
}

function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}
