import { basename, join } from 'node:path'
import { CaptureFailed, type Capture } from './capture-request.ts'
import { commandOf } from './command-of.ts'
import { runProgram } from './run-program.ts'
import { writtenFiles } from './written-files.ts'

/** Lets a program that is interrupted end by itself, because V8 writes its profile only then. */
const endsBySignal = join(import.meta.dirname, 'end-by-signal.cjs')

/**
 * Runs a command of Node.js with `--cpu-prof` or `--heap-prof`: https://nodejs.org/api/cli.html#--cpu-prof. Each process
 * and worker thread writes a file. Where the command is not `node` itself, such as `npx`, NODE_OPTIONS carries them.
 */
export const captureNode: Capture = async (request, place) => {
  const [program, ...args] = commandOf(request)
  const prefix = request.type === 'heap' ? '--heap-prof' : '--cpu-prof'
  const added = [prefix, `${prefix}-dir=${place.folder}`, '--require', endsBySignal]
  const isNode = /^node(js)?(\.exe)?$/.test(basename(program))
  const begunFile = join(place.folder, 'begun')
  const inherited = place.env['NODE_OPTIONS'] ?? ''
  const ran = await runProgram(isNode ? [program, ...added, ...args] : [program, ...args], place, {
    prints: 'passed-on',
    seconds: request.seconds,
    begunFile,
    ifMissing: 'Is it in the PATH?',
    env: {
      FLAMEGATE_CAPTURE_BEGUN: begunFile,
      ...(isNode ? {} : { NODE_OPTIONS: [inherited, ...added.map(quoted)].join(' ').trim() }),
    },
  })
  const files = await writtenFiles(place.folder, request.type === 'heap' ? '.heapprofile' : '.cpuprofile')
  if (files.length === 0) {
    throw new CaptureFailed(
      `The command ended with ${ran.exitCode} and no Node.js in it wrote a profile. One that is killed writes none, nor does one older than 12; commands that are not node itself need Node.js 20 or later.`,
    )
  }
  return { files, exitCode: ran.wasEnded ? 0 : ran.exitCode }
}

/** NODE_OPTIONS is split at spaces. */
function quoted(option: string): string {
  return /[\s"\\]/.test(option) ? `"${option.replaceAll(/["\\]/g, String.raw`\$&`)}"` : option
}
