import { compareEnvironments } from '@flamegate/benchmarks/arithmetic'
import type { EnvironmentDifference } from '@flamegate/benchmarks'
import type { McpReport } from '../report.ts'

/** Where one of these differs, times of the two sides do not tell of the server. Others put a claim in doubt, and are told. */
const decisive = new Set([
  'arch',
  'cpu_model',
  'cpu_count',
  'transport',
  'load_model',
  'concurrent_calls',
  'target_rps',
])

/** In what the circumstances of two measurements differ. */
export function reportDifferences(base: McpReport, head: McpReport): EnvironmentDifference[] {
  return compareEnvironments(environmentOf(base), environmentOf(head))
}

/** Of all processors together: above it, how fast they are for the server is a matter of what else runs. */
const OTHERS_MAX = 0.1

/** Why no claim about time can be made at all; empty when one can. `areAlone`: nothing tells how fast the machine was meanwhile. */
export function whyIncomparable(
  base: McpReport,
  head: McpReport,
  { differences, areAlone }: { differences: readonly EnvironmentDifference[]; areAlone: boolean },
): string[] {
  const limited = [
    ['base', base],
    ['head', head],
  ] as const
  return [
    ...differences
      .filter(({ key }) => decisive.has(key))
      .map((difference) => `${difference.key} differs: ${difference.base} and ${difference.head}`),
    ...limited.flatMap(([side, { load }]) =>
      load?.generatorLimited
        ? [`what measured was itself too slow in ${side}: ${load.generatorLimited}`]
        : [],
    ),
    ...limited.flatMap(([side, { load }]) =>
      areAlone && load?.othersCpuShare !== undefined && load.othersCpuShare > OTHERS_MAX
        ? [
            `others used ${Math.round(100 * load.othersCpuShare)} % of the machine's processors in ${side}, measure with --reference, or in turns (regression-test)`,
          ]
        : [],
    ),
  ]
}

function environmentOf({ machine, target, load }: McpReport): Record<string, string> {
  return {
    os: machine.os,
    arch: machine.arch,
    cpu_model: machine.cpuModel,
    cpu_count: String(machine.cpuCount),
    memory_bytes: `${machine.memoryBytes} B`,
    runtime: machine.runtime,
    transport: target.transport,
    ...(load && {
      load_model: load.model,
      ...(load.model === 'closed'
        ? { concurrent_calls: String(load.concurrent) }
        : { target_rps: String(load.targetRps) }),
    }),
  }
}
