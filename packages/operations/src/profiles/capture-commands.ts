import { captureKinds, type CaptureKind, type CaptureType } from '@flamegate/contract'
import { shellWord } from './shell-words.ts'

/** What is to be captured, by whoever sits at the program. */
export interface WantedCapture {
  kind: CaptureKind
  type: CaptureType
  seconds: number | undefined
  /** Address, number of a process or command line; an example of it when undefined. */
  target: string | undefined
  projectId: string
}

interface CaptureCommand {
  title: string
  command: string
}

const defaultSeconds = 30

/** The kinds' options of `flamegate profile`. */
const options: Readonly<Record<CaptureKind, string>> = {
  pprof: '--pprof',
  node: '--node',
  inspect: '--inspect',
  cprofile: '--python',
  py_spy: '--py-spy',
  jfr: '--jfr',
  perf: '--perf',
  callgrind: '--callgrind',
}

/** What stands for the program where nobody said which it is. */
const exampleTargets: Readonly<Record<CaptureKind, string>> = {
  pprof: 'http://localhost:6060',
  node: 'node app.js',
  inspect: '9229',
  cprofile: 'script.py',
  py_spy: '<pid>',
  jfr: '<pid>',
  perf: '<pid>',
  callgrind: './program',
}

/**
 * The ways to take a profile where the program runs: with `flamegate profile`, which also uploads it, and with what the
 * language itself has.
 */
export function captureCommands(wanted: WantedCapture): CaptureCommand[] {
  const { kind, target = exampleTargets[kind] } = wanted
  // A pid is one word; a command line stays as it was given, because it is one for a shell.
  const isCommand = captureKinds[kind].targets.includes('command') && !/^(\d+|<pid>)$/.test(target)
  const flamegate = flamegateCommand(wanted, target, isCommand)
  const own = ownCommand({ ...wanted, seconds: wanted.seconds ?? defaultSeconds }, target, isCommand)
  return [
    { title: 'Take it and upload it', command: flamegate },
    ...(own === undefined
      ? []
      : [{ title: 'Take it without flamegate; create_profile_upload then takes the file', command: own }]),
  ]
}

function flamegateCommand(
  { kind, type, seconds, projectId }: WantedCapture,
  target: string,
  isCommand: boolean,
): string {
  return [
    'flamegate profile',
    options[kind],
    ...(isCommand ? [] : [word(target)]),
    ...(captureKinds[kind].types.length > 1 ? [`--type ${type}`] : []),
    ...(seconds === undefined ? [] : [`--seconds ${seconds}`]),
    `--repository ${projectId}`,
    ...(isCommand ? [`-- ${target}`] : []),
  ].join(' ')
}

/** @param target of one that has no default any more */
function ownCommand(
  { kind, type, seconds }: WantedCapture,
  target: string,
  isCommand: boolean,
): string | undefined {
  switch (kind) {
    case 'pprof': {
      const path = type === 'cpu' ? `profile?seconds=${seconds}` : type
      const base = target.replace(/\/+$/, '').replace(/\/debug\/pprof$/, '')
      return `curl --fail -o ${type}.pb.gz ${shellWord(`${base}/debug/pprof/${path}`)}`
    }
    case 'node':
      return target.replace(/^node /, `node ${type === 'heap' ? '--heap-prof' : '--cpu-prof'} `)
    case 'cprofile':
      return `python3 -m cProfile -o cpu.pstats ${target.replace(/^python[\d.]* /, '')}`
    case 'py_spy':
      return isCommand
        ? `py-spy record --format speedscope -o cpu.speedscope.json -- ${target}`
        : `py-spy record --format speedscope -o cpu.speedscope.json --duration ${seconds} --pid ${target}`
    case 'jfr':
      return isCommand
        ? target.replace(/^java /, 'java -XX:StartFlightRecording=settings=profile,filename=app.jfr ')
        : `jcmd ${target} JFR.start name=flamegate settings=profile && sleep ${seconds} && jcmd ${target} JFR.dump name=flamegate filename="$PWD/app.jfr" && jcmd ${target} JFR.stop name=flamegate`
    case 'perf':
      return isCommand
        ? `perf record -F 499 -g -- ${target}; perf script > cpu.perf.txt`
        : `perf record -F 499 -g -p ${target} -- sleep ${seconds}; perf script > cpu.perf.txt`
    case 'callgrind':
      return `valgrind --tool=callgrind --callgrind-out-file=cpu.callgrind -- ${target}`
    default:
      // Nothing that comes with Node.js speaks to an inspector and writes a file.
      return undefined
  }
}

/** `<pid>` is to be replaced, and not to be quoted. */
function word(target: string): string {
  return target === '<pid>' ? target : shellWord(target)
}
