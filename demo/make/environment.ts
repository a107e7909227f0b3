import { arch, cpus, platform, release } from 'node:os'

/** What `compareBenchmarks` looks at first; `tools` adds the runtime and the libraries that measured. */
export function collectEnvironment(tools: Record<string, string>): Record<string, string> {
  const processors = cpus()
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cpu_count: String(processors.length),
    os: `${platform()} ${release()}`,
    arch: arch(),
    ...tools,
  }
}
