import { join } from 'node:path'
import { CaptureFailed, type Capture } from './capture-request.ts'
import { lastWords, runProgram } from './run-program.ts'
import { writtenFiles } from './written-files.ts'

const defaultSeconds = 10

/** Samples a Python program from outside with py-spy: https://github.com/benfred/py-spy. */
export const capturePySpy: Capture = async ({ target, seconds }, place) => {
  const record = ['record', '--format', 'speedscope', '--output', join(place.folder, 'cpu.speedscope.json')]
  const ofProcess = 'pid' in target
  const ran = await runProgram(
    ofProcess
      ? ['py-spy', ...record, '--pid', String(target.pid), '--duration', String(seconds ?? defaultSeconds)]
      : ['py-spy', ...record, '--', ...('command' in target ? target.command : [])],
    place,
    {
      prints: ofProcess ? 'kept' : 'passed-on',
      seconds: ofProcess ? undefined : seconds,
      ifMissing: 'Install it: pip install py-spy.',
    },
  )
  const files = await writtenFiles(place.folder, '.speedscope.json')
  if (files.length === 0) {
    throw new CaptureFailed(
      `py-spy left no profile. ${lastWords(ran)} To look into a process it needs to be root, or the right SYS_PTRACE in a container.`,
    )
  }
  return { files, exitCode: ofProcess || ran.wasEnded ? 0 : ran.exitCode }
}
