import { join } from 'node:path'
import { CaptureFailed, type Capture } from './capture-request.ts'
import { commandOf } from './command-of.ts'
import { runProgram } from './run-program.ts'
import { writtenFiles } from './written-files.ts'

/** Counts the instructions of a command with callgrind: https://valgrind.org/docs/manual/cl-manual.html. */
export const captureCallgrind: Capture = async (request, place) => {
  const file = join(place.folder, 'cpu.callgrind')
  const command = ['--tool=callgrind', `--callgrind-out-file=${file}`, '--', ...commandOf(request)]
  const ran = await runProgram(['valgrind', ...command], place, {
    prints: 'passed-on',
    seconds: request.seconds,
    ifMissing: 'Install it: apt install valgrind.',
  })
  const files = await writtenFiles(place.folder, '.callgrind')
  if (files.length === 0) {
    throw new CaptureFailed(`The command ended with ${ran.exitCode}, and valgrind left no profile.`)
  }
  return { files, exitCode: ran.wasEnded ? 0 : ran.exitCode }
}
