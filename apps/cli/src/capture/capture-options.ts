import type { CaptureKind, CaptureTargetKind, CaptureType } from '@flamegate/contract'
import { captureKindNames, captureKinds, captureTypes } from '@flamegate/contract/profiles/capture-kinds'
import type { CommandLine, Option } from '../arguments/command-line.ts'
import { UsageError } from '../usage-error.ts'
import type { CaptureRequest, CaptureTarget } from './capture-request.ts'
import { inspectorUrl } from './inspector.ts'
import { readDuration } from './read-duration.ts'

/** The option of each kind of capture. */
const kindOptions: Readonly<Record<CaptureKind, Option>> = {
  pprof: {
    name: 'pprof',
    value: '<url>',
    description: 'A program in Go that serves net/http/pprof there, such as http://localhost:6060.',
  },
  node: { name: 'node', description: 'Run the command after -- with V8’s profiler.' },
  inspect: {
    name: 'inspect',
    value: '<port|url>',
    description: 'A Node.js that runs with its inspector open there, such as 9229.',
  },
  cprofile: { name: 'python', description: 'Run the Python script after -- under cProfile.' },
  py_spy: { name: 'py-spy', description: 'Sample the Python process, or command after --, with py-spy.' },
  jfr: { name: 'jfr', description: 'Record the JVM, or command after --, with Java Flight Recorder.' },
  perf: { name: 'perf', description: 'Sample the process, or command after --, with Linux perf.' },
  callgrind: {
    name: 'callgrind',
    description: 'Count the instructions of the command after -- with valgrind.',
  },
}

/** What says which profile to take. */
export const captureOptions: readonly Option[] = [
  ...captureKindNames.map((kind) => kindOptions[kind]),
  {
    name: 'pid',
    short: 'p',
    value: '<pid>',
    description: 'The process, for --py-spy, --jfr and --perf; may be written right after them.',
  },
  {
    name: 'type',
    value: '<type>',
    description: `What to measure: ${captureTypes.join(', ')}; of Go all but heap_snapshot, of Node.js the first three. Default cpu.`,
  },
  { name: 'heap', description: 'The same as --type heap.' },
  {
    name: 'seconds',
    value: '<n>',
    description:
      'How long, or such as 5m: 10 when left out, with --jfr 30. A command is ended then; without it, it runs to its end.',
  },
]

/**
 * The capture that a command line asks for; undefined when it names files.
 * @throws UsageError
 */
export function captureRequest(line: CommandLine): CaptureRequest | undefined {
  const kinds = captureKindNames.filter((kind) => isAsked(line, kind))
  const [kind, another] = kinds
  if (kind === undefined) return undefined
  const option = `--${kindOptions[kind].name}`
  if (another !== undefined) {
    throw new UsageError(`Choose one of ${option} and --${kindOptions[another].name}.`)
  }
  const target = targetOf(line, kind)
  if (target === undefined) throw new UsageError(`${option} needs ${needs(kind)}.`)
  return { kind, type: typeOf(line, kind), target, seconds: secondsOf(line) }
}

function isAsked(line: CommandLine, kind: CaptureKind): boolean {
  const { name, value } = kindOptions[kind]
  return value === undefined ? line.flag(name) === true : line.text(name) !== undefined
}

function targetOf(line: CommandLine, kind: CaptureKind): CaptureTarget | undefined {
  const { targets } = captureKinds[kind]
  const { positionals } = line
  const [first, ...rest] = positionals
  if (targets.includes('url')) {
    if (first !== undefined) throw new UsageError(`There is an argument too many: ${first}`)
    return { url: addressOf(kind, line.text(kindOptions[kind].name) ?? '') }
  }
  const pid = line.text('pid') ?? (/^\d+$/.test(first ?? '') && rest.length === 0 ? first : undefined)
  if (pid !== undefined) {
    if (!targets.includes('pid')) throw new UsageError(`--${kindOptions[kind].name} needs ${needs(kind)}.`)
    if (!/^[1-9]\d*$/.test(pid)) throw new UsageError(`--pid ${pid} is no number of a process.`)
    return { pid: Number(pid) }
  }
  return first === undefined ? undefined : { command: [first, ...rest] }
}

/** @throws UsageError */
export function addressOf(kind: CaptureKind, given: string): string {
  try {
    const address = kind === 'inspect' ? inspectorUrl(given) : given
    const url = new URL(/^https?:\/\//.test(address) ? address : `http://${address}`)
    return url.href
  } catch {
    throw new UsageError(`${given} is no address. Give one such as http://localhost:6060.`)
  }
}

function typeOf(line: CommandLine, kind: CaptureKind): CaptureType {
  const { types, title } = captureKinds[kind]
  const given = line.text('type') ?? (line.flag('heap') === true ? 'heap' : types[0])
  const type = types.find((each) => each === given)
  if (type !== undefined) return type
  throw new UsageError(`Of ${title} these can be taken: ${types.join(', ')}; not ${given}.`)
}

function secondsOf(line: CommandLine): number | undefined {
  const given = line.text('seconds')
  return given === undefined ? undefined : readDuration('seconds', given)
}

const targetWords: Readonly<Record<CaptureTargetKind, string>> = {
  url: 'an address',
  pid: 'the number of a process',
  command: 'a command after --',
}

function needs(kind: CaptureKind): string {
  return captureKinds[kind].targets.map((target) => targetWords[target]).join(', or ')
}
