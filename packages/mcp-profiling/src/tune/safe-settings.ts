/** What a program is run by: it decides which settings there are. */
export type TunedRuntime = 'node' | 'python' | 'java' | 'go' | 'other'

/** One value of one setting. */
export interface TunedSetting {
  /** Of all values of one setting at most one is kept. */
  setting: string
  /** Of the environment. */
  variable: string
  value: string
  /** Written behind what the variable holds already, as flags are. */
  isAdded: boolean
}

/**
 * Settings that cannot change what a server does, only how fast it does it and in how much memory: garbage collectors, sizes
 * of pools, allocators. Flags that change behaviour are not among them, such as python -O, which leaves out asserts. All are
 * variables of the environment, which programs hand on to those that they start.
 */
export function safeSettings(runtime: TunedRuntime, cpuCount: number): TunedSetting[] {
  switch (runtime) {
    case 'node':
      return [
        ...flags('NODE_OPTIONS', '--max-semi-space-size', ['=32', '=64']),
        ...values('UV_THREADPOOL_SIZE', ['8', '16']),
      ]
    case 'java':
      return flags('JAVA_TOOL_OPTIONS', '-XX:+Use', ['SerialGC', 'ParallelGC', 'G1GC'])
    case 'go':
      return [
        ...values('GOGC', ['200', '400']),
        ...values(
          'GOMAXPROCS',
          [1, Math.ceil(cpuCount / 2)]
            .filter((count, at, all) => count < cpuCount && all.indexOf(count) === at)
            .map(String),
        ),
      ]
    case 'python':
      return [...values('PYTHONMALLOC', ['malloc']), ...values('MALLOC_ARENA_MAX', ['1', '2'])]
    default:
      return values('MALLOC_ARENA_MAX', ['1', '2'])
  }
}

/** `NODE_OPTIONS --max-semi-space-size=64`, `GOGC=200` */
export function settingTitle({ variable, value, isAdded }: TunedSetting): string {
  return isAdded ? `${variable} ${value}` : `${variable}=${value}`
}

/** The variables that a server gets beside what it has. */
export function settingsEnv(
  settings: readonly TunedSetting[],
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const { variable, value, isAdded } of settings) {
    const before = env[variable] ?? given[variable]
    env[variable] = isAdded && before ? `${before} ${value}` : value
  }
  return env
}

function values(variable: string, all: readonly string[]): TunedSetting[] {
  return all.map((value) => ({ setting: variable, variable, value, isAdded: false }))
}

function flags(variable: string, flag: string, endings: readonly string[]): TunedSetting[] {
  return endings.map((ending) => ({ setting: flag, variable, value: `${flag}${ending}`, isAdded: true }))
}
