import { randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import { CaptureFailed, type Capture, type CapturePlace } from './capture-request.ts'
import { commandOf } from './command-of.ts'
import { lastWords, runProgram, type RanProgram } from './run-program.ts'
import { untilOver } from './until-over.ts'
import { writtenFiles } from './written-files.ts'

const defaultSeconds = 30

/**
 * Records a Java program with Flight Recorder, for as long as one likes: one that runs, by `jcmd`, or a command from its
 * start. https://docs.oracle.com/en/java/javase/21/docs/specs/man/jcmd.html
 */
export const captureJfr: Capture = async (request, place) => {
  const file = join(place.folder, 'recording.jfr')
  const { target, seconds } = request
  if ('pid' in target) {
    await recordProcess(target.pid, file, seconds ?? defaultSeconds, place)
    return { files: await written(place, 'The JVM'), exitCode: 0 }
  }
  const [program, ...args] = commandOf(request)
  const recording = `-XX:StartFlightRecording=settings=profile,dumponexit=true,filename=${file}`
  const isJava = /^java(\.exe)?$/.test(basename(program))
  const inherited = place.env['JAVA_TOOL_OPTIONS'] ?? ''
  const ran = await runProgram(isJava ? [program, recording, ...args] : [program, ...args], place, {
    prints: 'passed-on',
    seconds,
    ifMissing: 'Install a JDK, or put its bin into the PATH.',
    env: isJava ? {} : { JAVA_TOOL_OPTIONS: `${inherited} ${recording}`.trim() },
  })
  return {
    files: await written(place, `The command, which ended with ${ran.exitCode},`),
    exitCode: ran.wasEnded ? 0 : ran.exitCode,
  }
}

async function recordProcess(pid: number, file: string, seconds: number, place: CapturePlace): Promise<void> {
  const name = `flamegate-${randomUUID().slice(0, 8)}`
  // An interruption ends the recording early, and not the commands that end it.
  const undisturbed = { ...place, interruption: new AbortController().signal }
  const jcmd = async (...words: string[]): Promise<RanProgram> =>
    runProgram(['jcmd', String(pid), ...words], undisturbed, {
      prints: 'kept',
      ifMissing: 'It comes with a JDK: install one, or put its bin into the PATH.',
    })

  const started = await jcmd('JFR.start', `name=${name}`, 'settings=profile')
  if (started.exitCode !== 0 || !/Started recording/.test(started.said)) {
    throw new CaptureFailed(
      `No recording could be started in process ${pid}. ${lastWords(started)} jcmd has to be run by the user of the JVM; jcmd -l shows which there are.`,
    )
  }
  try {
    await untilOver(seconds, place.interruption)
    const dumped = await jcmd('JFR.dump', `name=${name}`, `filename=${file}`)
    if (dumped.exitCode !== 0) throw new CaptureFailed(`The recording was not written. ${lastWords(dumped)}`)
  } finally {
    await jcmd('JFR.stop', `name=${name}`)
  }
}

async function written({ folder }: CapturePlace, who: string): Promise<string[]> {
  const files = await writtenFiles(folder, '.jfr')
  if (files.length === 0)
    throw new CaptureFailed(`${who} left no recording. A JVM that is killed writes none.`)
  return files
}
