import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { z } from 'zod'

/** A command with what makes its harness write down what it measured. */
export interface PreparedCommand {
  command: readonly [program: string, ...args: string[]]
  /** In addition to the environment that there is. */
  env: Readonly<Record<string, string>>
  /** Where results will be, if it writes any. */
  files: readonly string[]
}

/** How one harness is told. */
interface Harness {
  isIt(program: string, args: readonly string[]): boolean
  /** Options that say already where results go, as `--name file` or `--name=file`. */
  options: readonly string[]
  /** What says it; undefined when nothing can. */
  added(file: string, cwd: string): readonly string[]
  /** Whether the options come right after the program; else they are the last. */
  isFirst?: true
}

const harnesses: readonly Harness[] = [
  {
    // https://github.com/sharkdp/hyperfine#export-results
    isIt: (program) => program === 'hyperfine',
    options: ['--export-json'],
    added: (file) => ['--export-json', file],
    // Commands follow.
    isFirst: true,
  },
  {
    // https://pytest-benchmark.readthedocs.io/en/latest/usage.html; CodSpeed's plugin takes its place and writes itself.
    isIt: (program, args) =>
      (program === 'pytest' || program === 'py.test') && !args.some((each) => each.startsWith('--codspeed')),
    options: ['--benchmark-json'],
    added: (file) => [`--benchmark-json=${file}`],
  },
  {
    // https://vitest.dev/guide/benchmarking
    isIt: (program, args) => program === 'vitest' && args.includes('bench'),
    options: ['--outputJson', '--output-json', '--outputFile', '--output-file', '--outputFile.json'],
    added: (file, cwd) =>
      vitestMajor(cwd) < 5
        ? ['--outputJson', file]
        : ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
  },
]

/** Programs that only start another one, and their words before its name. */
const starters: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  bunx: [],
  pnpm: ['exec', 'dlx'],
  yarn: ['run', 'exec', 'dlx'],
  npm: ['exec'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  time: [],
  taskset: [],
  nice: [],
}

/**
 * Lets a known harness write its results into `folder` besides what it prints: hyperfine, pytest-benchmark and Vitest by
 * an option, unless there is one already, whose file is taken then; Google Benchmark by its environment.
 */
export function prepareCommand(
  given: readonly [string, ...string[]],
  options: { folder: string; cwd: string; env: Readonly<Record<string, string | undefined>> },
): PreparedCommand {
  const { folder, cwd } = options
  const googleFile =
    valueOf(given, ['--benchmark_out']) ??
    options.env['BENCHMARK_OUT'] ??
    join(folder, 'google-benchmark.json')
  const env = {
    // https://github.com/google/benchmark/blob/main/docs/user_guide.md: each flag has a variable.
    BENCHMARK_OUT: googleFile,
    BENCHMARK_OUT_FORMAT: options.env['BENCHMARK_OUT_FORMAT'] ?? 'json',
  }
  const at = programAt(given)
  const program = programOf(given)
  const [before, own] = [given.slice(0, at + 1), given.slice(at + 1)]
  const prepared = { env, files: [googleFile], command: given }
  const harness = harnesses.find((each) => each.isIt(program, own))
  if (harness === undefined) return prepared
  const named = valueOf(own, harness.options)
  if (named !== undefined) return { ...prepared, files: [googleFile, named] }
  const file = join(folder, 'results.json')
  const added = harness.added(file, cwd)
  const [first = '', ...rest] =
    harness.isFirst === true ? [...before, ...added, ...own] : [...given, ...added]
  return { ...prepared, command: [first, ...rest], files: [googleFile, file] }
}

/** The program that is measured with, without its folder and whatever starts it. */
export function programOf(command: readonly string[]): string {
  return basename(command[programAt(command)] ?? '')
}

/** Where in a command line the program stands that is started in the end: `npx vitest`, `python3 -m pytest`. */
function programAt(command: readonly string[]): number {
  const [first = '', second, third] = command.map((word) => basename(word))
  if (/^python[\d.]*$/.test(first) && second === '-m' && third !== undefined) return 2
  const words = starters[first]
  if (words === undefined) return 0
  const at = command.findIndex((word, index) => index > 0 && !word.startsWith('-') && !words.includes(word))
  return at === -1 ? 0 : at + programAt(command.slice(at))
}

function valueOf(args: readonly string[], options: readonly string[]): string | undefined {
  for (const [index, word] of args.entries()) {
    if (options.includes(word)) return args[index + 1]
    const [name = '', ...value] = word.split('=')
    if (options.includes(name) && value.length > 0) return value.join('=')
  }
  return undefined
}

const packageFile = z.object({ version: z.string() })

/** Of the one that the project has; what is current where that cannot be told. */
function vitestMajor(cwd: string): number {
  try {
    const { version } = packageFile.parse(createRequire(join(cwd, 'package.json'))('vitest/package.json'))
    return Number.parseInt(version, 10)
  } catch {
    return 5
  }
}
