import { join } from 'node:path'
import { CaptureFailed, type Capture, type CapturePlace } from './capture-request.ts'
import { lastWords, runProgram } from './run-program.ts'
import { writtenFiles } from './written-files.ts'

const defaultSeconds = 10
/** Not a round number, so that sampling does not fall into step with what the program does. */
const samplesPerSecond = 499

/** Samples a process or a command with Linux perf, and has its stacks written as text: https://perfwiki.github.io. */
export const capturePerf: Capture = async ({ target, seconds }, place) => {
  const data = join(place.folder, 'perf.data')
  const record = ['record', '-F', String(samplesPerSecond), '-g', '-o', data] as const
  const ofProcess = 'pid' in target
  const ran = await runProgram(
    ofProcess
      ? ['perf', ...record, '-p', String(target.pid)]
      : ['perf', ...record, '--', ...('command' in target ? target.command : [])],
    place,
    {
      prints: ofProcess ? 'kept' : 'passed-on',
      seconds: ofProcess ? (seconds ?? defaultSeconds) : seconds,
      ifMissing: 'Install it: apt install linux-perf, or linux-tools-generic, or perf.',
    },
  )
  const [recorded] = await writtenFiles(place.folder, 'perf.data')
  if (recorded === undefined) {
    throw new CaptureFailed(
      `perf recorded nothing. ${lastWords(ran)} Where it is not permitted, be root, or lower kernel.perf_event_paranoid (sysctl) to 1; in a container, allow perf_event_open.`,
    )
  }
  return {
    files: [await stacksOf(recorded, place)],
    exitCode: ofProcess || ran.wasEnded ? 0 : ran.exitCode,
  }
}

/** Writes what perf recorded as text, into the folder of the place. */
export async function stacksOf(data: string, place: CapturePlace): Promise<string> {
  const file = join(place.folder, 'cpu.perf.txt')
  const undisturbed = { ...place, interruption: new AbortController().signal }
  const ran = await runProgram(['perf', 'script', '-i', data], undisturbed, {
    prints: { file },
    ifMissing: 'Install it.',
  })
  const [written] = await writtenFiles(place.folder, '.perf.txt')
  if (ran.exitCode !== 0 || written === undefined) {
    throw new CaptureFailed(`perf took no samples. ${lastWords(ran)}`)
  }
  return written
}
