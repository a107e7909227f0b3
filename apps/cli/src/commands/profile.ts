import { ApiProblem, ApiUnreachable, type Client } from '@flamegate/client'
import { jsonOption } from '../arguments/command-line.ts'
import { captureOptions, captureRequest } from '../capture/capture-options.ts'
import { CaptureFailed, type CaptureRequest } from '../capture/capture-request.ts'
import { takeCapture } from '../capture/captures.ts'
import { inOwnFolder } from '../capture/in-own-folder.ts'
import { keepCaptured } from '../capture/keep-captured.ts'
import { readDuration } from '../capture/read-duration.ts'
import { untilOver } from '../capture/until-over.ts'
import { mostFiles, uploadCaptured } from '../capture/upload-captured.ts'
import { uploadedAs } from '../capture/uploaded-as.ts'
import { interruptible } from '../harness/interruption.ts'
import { findRunOrigin } from '../origin/run-origin.ts'
import { sourceMapSearch, sourceMapsOption } from '../source-maps/source-map-options.ts'
import { findFiles } from '../upload/find-files.ts'
import { patientClient } from '../upload/patient-client.ts'
import { findProfilePlace } from '../upload/profile-place.ts'
import { UploadRefused } from '../upload/send-presigned.ts'
import { renderUploaded } from '../upload/upload-all.ts'
import type { NewProfile } from '../upload/upload-profile.ts'
import { TaskFailed } from '../upload/wait-for-task.ts'
import { UsageError } from '../usage-error.ts'
import type { CommandBody, CommandContext } from './command.ts'

/** `flamegate profile`: takes profiles on this machine, and uploads them. */
export const profile: CommandBody = {
  details:
    'Takes the profile that an option asks for, or the files that are there already, whatever their format. Ctrl-C ends a capture early and uploads what there is. Exit codes: that of a command that was run, when it is not 0; else as everywhere.',
  examples: [
    'flamegate profile cpu.pb.gz',
    'flamegate profile --pprof http://localhost:6060 --type heap',
    'flamegate profile --pprof http://localhost:6060 --seconds 30 --every 5m --tag staging',
    'flamegate profile --node -- node app.js',
    'flamegate profile --inspect 9229 --type heap_snapshot',
    'flamegate profile --python -- script.py',
    'flamegate profile --py-spy 4242 --seconds 30',
    'flamegate profile --jfr 4242 --seconds 60',
    'flamegate profile --perf --seconds 20 -- ./server',
    'flamegate profile --callgrind -- ./parse big.json',
  ],
  positionals: ['files…', '-- command…'],
  options: [
    ...captureOptions,
    {
      name: 'every',
      value: '<time>',
      description: 'Take one again and again, such as every 60s or 5m, until it is stopped.',
    },
    {
      name: 'repository',
      value: '<text>',
      description: 'owner/name, or the id of the project (prj_…); FLAMEGATE_PROJECT when left out.',
    },
    { name: 'run', value: '<id>', description: 'Run that the profile belongs to: its id, or latest.' },
    { name: 'benchmark', value: '<uri>', description: 'Benchmark that it shows: uri or id.' },
    { name: 'name', value: '<text>', description: 'What to call it.' },
    sourceMapsOption,
    { name: 'tag', value: '<text>', isRepeatable: true, description: 'Free word to find it by.' },
    {
      name: 'output',
      value: '<path>',
      description: 'Keep the file there too; a folder, where there are several.',
    },
    {
      name: 'dry-run',
      description: 'Upload nothing: keep the file, in the working directory without --output.',
    },
    { name: 'wait', description: 'Stay until it is read, which is the default; --no-wait: do not.' },
    { ...jsonOption, description: 'Print one JSON object per profile.' },
  ],
  async run(context) {
    const request = captureRequest(context.line)
    if (request !== undefined)
      return interruptible((interruption) => collect(context, request, interruption), { isForReaders: true })
    await uploadFiles(context)
    return 0
  },
}

async function uploadFiles(context: CommandContext): Promise<void> {
  const { line, terminal } = context
  if (line.positionals.length === 0) {
    throw new UsageError('Name files, or what to take a profile of. flamegate profile --help has examples.')
  }
  if (line.text('every') !== undefined || line.flag('dry-run') === true) {
    throw new UsageError('--every and --dry-run are for profiles that are taken now, not for files.')
  }
  const files = (await findFiles(terminal.cwd, line.positionals)).map(({ path }) => path)
  if (files.length > mostFiles) throw new UsageError(`Name ${mostFiles} files at most.`)
  const { job, upload } = await destinationOf(context)
  await upload(files, { type: undefined, moment: job })
}

/** What is to be taken, and where it goes. */
interface Collecting {
  context: CommandContext
  request: CaptureRequest
  interruption: AbortSignal
  /** Where files are kept. */
  output: string | undefined
  isRepeated: boolean
  /** Undefined: nowhere. */
  destination: Destination | undefined
}

/** @returns the exit code of the command that was run, if any */
async function collect(
  context: CommandContext,
  request: CaptureRequest,
  interruption: AbortSignal,
): Promise<number> {
  const { line } = context
  const given = line.text('every')
  const every = given === undefined ? undefined : readDuration('every', given)
  const isDry = line.flag('dry-run') === true
  const collecting: Collecting = {
    context,
    request,
    interruption,
    output: line.text('output') ?? (isDry ? '.' : undefined),
    isRepeated: every !== undefined,
    // Before anything is taken: who may not upload learns it at once.
    destination: isDry ? undefined : await destinationOf(context),
  }
  if (every === undefined) return collectOnce(collecting, new Date())
  await collectEvery(every, collecting)
  return 0
}

async function collectEvery(seconds: number, collecting: Collecting): Promise<void> {
  const { interruption, context } = collecting
  let isFirst = true
  while (!interruption.aborted) {
    const startedAt = new Date()
    try {
      await collectOnce(collecting, startedAt)
    } catch (error) {
      // What is wrong from the start will not get better.
      if ((isFirst && !interruption.aborted) || !isPassing(error)) throw error
      context.terminal.writeError(`${startedAt.toISOString()} ${error.message}\n`)
    }
    isFirst = false
    await untilOver(Math.max(0, seconds - (Date.now() - startedAt.getTime()) / 1000), interruption)
  }
}

async function collectOnce(
  { context: { terminal }, request, interruption, output, isRepeated, destination }: Collecting,
  startedAt: Date,
): Promise<number> {
  const moment = startedAt.toISOString()
  return inOwnFolder(async (folder) => {
    const { files, exitCode } = await takeCapture(request, {
      folder,
      cwd: terminal.cwd,
      env: terminal.env,
      passOn: (bytes) => terminal.passOn(bytes),
      interruption,
      isAtTerminal: terminal.isStdinTyped,
    })
    if (output !== undefined) {
      const mark = isRepeated ? moment.replaceAll(/[-:]|\.\d+/g, '') : undefined
      const kept = await keepCaptured(files, { cwd: terminal.cwd, output, mark })
      for (const path of kept) terminal.writeError(`Kept as ${path}\n`)
    }
    if (destination !== undefined && files.length > mostFiles) {
      terminal.writeError(`Of ${files.length} files the ${mostFiles} largest are uploaded.\n`)
    }
    await destination?.upload(files, { ...uploadedAs(request), moment })
    return exitCode
  })
}

/** What the next time may go better with. */
function isPassing(error: unknown): error is Error {
  if (error instanceof ApiProblem) return error.status === 429 || error.status >= 500
  if (error instanceof UploadRefused) return error.isPassing
  return [CaptureFailed, TaskFailed, ApiUnreachable].some((kind) => error instanceof kind)
}

interface Destination {
  /** What the CI calls this piece of work. */
  job: string | undefined
  upload: (
    files: readonly string[],
    how: { type: string | undefined; name?: string; moment: string | undefined },
  ) => Promise<void>
}

async function destinationOf({ line, terminal, client }: CommandContext): Promise<Destination> {
  const patient: Client = patientClient(client(), terminal)
  const origin = await findRunOrigin({ env: terminal.env, cwd: terminal.cwd })
  const repository =
    line.text('repository') ?? (terminal.env['FLAMEGATE_PROJECT'] || undefined) ?? origin.repository
  const place = await findProfilePlace(patient, { runId: line.text('run'), repository })
  return {
    job: origin.job,
    async upload(files, { type, name, moment }) {
      const uploaded: NewProfile = {
        ...place,
        benchmark: line.text('benchmark'),
        name: line.text('name') ?? name,
        type,
        tags: line.list('tag') ?? [],
      }
      const isWaited = line.flag('wait') !== false
      for (const each of await uploadCaptured(files, uploaded, {
        client: patient,
        terminal,
        moment,
        isWaited,
        search: sourceMapSearch(line, terminal.cwd),
      })) {
        terminal.writeOut(line.flag('json') === true ? JSON.stringify(each) : renderUploaded(each))
      }
    },
  }
}
