import { isLoopback } from '../target/allowed-load.ts'
import type { McpTarget } from '../target/mcp-target.ts'
import type { OpenServer } from '../open-server.ts'
import type { InsideOptions, InsideProbe, Preparation, WantedInside } from './inside.ts'
import { JvmProbe } from './jvm/jvm-probe.ts'
import { PerfProbe } from './native/perf-probe.ts'
import { prepareNode } from './node.ts'
import { processesBelow } from './processes-below.ts'

/** Programs that run others: what they started is meant. */
const wrappers = /^(?:(?:ba|da|z|fi)?sh|busybox|env|sudo|uv|npm|docker|podman|mvnw?|gradlew?)$/
/** Programs of which perf would show the interpreter, and not what it runs. */
const interpreters =
  /^(?:node(?:js)?|bun|deno|python[\d.]*|ruby[\d.]*|php[\d.]*|perl[\d.]*|dotnet|beam\.smp)$/

/**
 * Any command may come to be Node.js, and it is prepared for that. What it is shows when it runs: a JVM is told by jcmd to record
 * itself, and machine code is sampled by perf. What runs already, on this machine, likewise.
 */
export function prepareOther(
  target: McpTarget,
  wanted: WantedInside,
  options: InsideOptions,
): Preparation | undefined {
  if (target.kind === 'http' && !isLoopback(new URL(target.url).hostname)) return undefined
  const node = prepareNode(target, wanted, options)
  if (node === undefined || options.inspect !== undefined) return node
  return {
    ...node,
    attach: async (server) => (await probeOf(server, wanted, options)) ?? node.attach(server),
  }
}

async function probeOf(
  { pid }: OpenServer,
  wanted: WantedInside,
  options: InsideOptions,
): Promise<InsideProbe | undefined> {
  const running = pid === undefined ? [] : await processesBelow(pid)
  const jvm = running.find(({ program }) => program === 'java')
  if (jvm !== undefined) return new JvmProbe(jvm.pid, wanted, options)
  const own = running.find(({ program }) => program !== '' && !wrappers.test(program))
  return own === undefined || interpreters.test(own.program)
    ? undefined
    : new PerfProbe(own.pid, wanted, options)
}
