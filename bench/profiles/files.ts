import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const here = import.meta.dirname
const folder = path.join(tmpdir(), 'flamegate-bench-profiles')

/** A file of the bench, made when it is not there from another run. */
function made(name: string, make: (path: string) => void): string {
  mkdirSync(folder, { recursive: true })
  const target = path.join(folder, name)
  if (!existsSync(target)) {
    console.error(`Making ${target}`)
    const unfinished = path.join(folder, `unfinished-${process.pid}-${name}`)
    make(unfinished)
    renameSync(unfinished, target)
  }
  return target
}

export function isInstalled(command: string, argument = '--version'): boolean {
  return spawnSync(command, [argument], { stdio: 'ignore' }).error === undefined
}

export function pprofFile(samples: number, seed: number): string {
  return made(`${samples}-${seed}.pb.gz`, (target) =>
    run(process.execPath, [path.join(here, 'make-pprof.ts'), target, String(samples), String(seed)]),
  )
}

/** Valgrind runs the C compiler, which is a large program, over a sample of ours: ten megabytes in three quarters of a minute. */
export function callgrindFile(): string {
  return made('compiler.callgrind', (target) => {
    const samples = path.join(here, '../../packages/profiles/samples')
    const source = `${target}.i`
    run('gcc', ['-E', '-I', samples, path.join(samples, 'valgrind.c'), '-o', source])
    const compiler = execFileSync('gcc', ['-print-prog-name=cc1'], { encoding: 'utf8' }).trim()
    const options = ['--tool=callgrind', '--dump-instr=yes', '--collect-jumps=yes']
    const compiling = [compiler, '-quiet', '-O3', '-g', source, '-o', '/dev/null']
    run('valgrind', [...options, `--callgrind-out-file=${target}`, ...compiling])
  })
}

const event = (name: string, setting: string) =>
  `<event name="${name}"><setting name="enabled">true</setting>${setting}</event>`

const stacks = '<setting name="stackTrace">true</setting>'
/** What is recorded that becomes samples, with its settings. */
const recordedSettings = {
  'jdk.ExecutionSample': '<setting name="period">1 ms</setting>',
  'jdk.ObjectAllocationInNewTLAB': stacks,
  'jdk.ObjectAllocationOutsideTLAB': stacks,
}
export const recordedEvents = Object.keys(recordedSettings)

/** Half a minute of a program with two threads: where it is, every millisecond, and what it allocates. */
export function flightRecording(): string {
  return made('recorded.jfr', (target) => {
    const settings = `${target}.jfc`
    writeFileSync(
      settings,
      `<?xml version="1.0" encoding="UTF-8"?><configuration version="2.0">${[
        event('jdk.ActiveSetting', ''),
        ...Object.entries(recordedSettings).map(([name, setting]) => event(name, setting)),
      ].join('')}</configuration>`,
    )
    const recording = `-XX:StartFlightRecording:settings=${settings},filename=${target}`
    run('java', ['-Xmx256m', recording, path.join(here, 'Recorded.java'), '30'])
  })
}

/** The program with google/pprof's library, which Debian has as golang-github-google-pprof-dev; undefined without it. */
export function googlePprof(): string | undefined {
  const sources = '/usr/share/gocode'
  if (!isInstalled('go', 'version') || !existsSync(path.join(sources, 'src/github.com/google/pprof')))
    return undefined
  const target = path.join(folder, 'google-pprof')
  const program = path.join(here, 'subjects/google-pprof/main.go')
  const env = { GO111MODULE: 'off', GOPATH: sources, GOCACHE: path.join(folder, 'go-cache') }
  run('go', ['build', '-o', target, program], env)
  return target
}

/** What `go tool pprof` starts. */
export function goToolPprof(): string {
  return execFileSync('go', ['tool', '-n', 'pprof'], { encoding: 'utf8' }).trim()
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): void {
  execFileSync(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
  })
}
