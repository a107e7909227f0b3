import { operations } from '@flamegate/contract'
import { jsonOption, type CommandLine } from '../arguments/command-line.ts'
import { keyValues } from '../arguments/field-values.ts'
import { operationFields } from '../arguments/operation-field.ts'
import { collectEnvironment } from '../origin/environment.ts'
import { findRunOrigin, type RunOrigin } from '../origin/run-origin.ts'
import type { Terminal } from '../terminal.ts'
import { fileKind, type FileKind } from '../upload/file-kind.ts'
import { findProfilePlace, type ProfilePlace } from '../upload/profile-place.ts'
import { progressOn, type Progress } from '../upload/progress.ts'
import { openFile, readStdin, type UploadFile } from '../upload/upload-file.ts'
import { uploadProfile, type UploadedProfile } from '../upload/upload-profile.ts'
import { uploadResults, type NewRun, type UploadedRun } from '../upload/upload-results.ts'
import { UsageError } from '../usage-error.ts'
import type { Command, CommandContext } from './command.ts'

const adapters = operationFields(operations.submitBenchmarkResults).find((field) => field.name === 'adapter')

export const upload: Command = {
  name: 'upload',
  summary: 'Upload benchmark results and profiles.',
  details:
    'Each result file becomes a run; profiles are attached to --run, or to the run that the same command made. Without files, or with -, stdin is read. Repository, branch, commit, message, pull request and event come from the variables of GitHub Actions, GitLab CI, Buildkite, CircleCI or Jenkins, else from git.',
  positionals: ['files…'],
  options: [
    {
      name: 'profile',
      description: 'All files are profiles; --no-profile: none is. Told by name and content when left out.',
    },
    { name: 'repository', value: '<text>', description: 'owner/name, or the id of the project (prj_…).' },
    { name: 'branch', value: '<text>', description: 'Branch that was measured.' },
    { name: 'commit', value: '<hash>', description: 'Commit that was measured, as 7 to 64 hex digits.' },
    { name: 'message', value: '<text>', description: 'First line of the commit message.' },
    { name: 'pull-request', value: '<number>', description: 'Number of the pull request.' },
    {
      name: 'event',
      value: '<text>',
      description: 'What caused the run: push, pull_request, schedule, local, …',
    },
    { name: 'tag', value: '<text>', isRepeatable: true, description: 'Free word to find it by.' },
    {
      name: 'adapter',
      value: '<name>',
      description: `Format of the results. One of ${adapters?.choices.join(', ')}. Default magic.`,
    },
    {
      name: 'env',
      value: '<key=value>',
      isRepeatable: true,
      description:
        'Fact about machine or toolchain, in place of the one that is collected; an empty value leaves it out.',
    },
    {
      name: 'type',
      value: '<text>',
      description: 'What a profile measured, such as cpu or heap; taken from the file when left out.',
    },
    { name: 'run', value: '<id>', description: 'Run that profiles belong to: its id, or latest.' },
    { name: 'benchmark', value: '<uri>', description: 'Benchmark that profiles show: uri or id.' },
    { ...jsonOption, description: 'Print one JSON object per file.' },
  ],
  run: runUpload,
}

async function runUpload(context: CommandContext): Promise<void> {
  const { line, terminal } = context
  const files = await openFiles(line, terminal)
  const client = context.client()
  const origin = await findRunOrigin({
    env: terminal.env,
    cwd: terminal.cwd,
    commitHash: line.text('commit'),
  })
  const print = (uploaded: UploadedRun | UploadedProfile) =>
    terminal.writeOut(line.flag('json') === true ? JSON.stringify(uploaded) : renderUploaded(uploaded))

  let made: ProfilePlace | undefined
  const results = files.filter(({ kind }) => kind === 'results')
  if (results.length > 0) {
    const run = await newRun(line, origin, terminal)
    for (const { file } of results) {
      const uploaded = await withProgress(terminal, file, (progress) =>
        // Several files of one call are what several tools say of one commit: one run.
        uploadResults(client, file, { ...run, run_id: made?.run_id }, progress),
      )
      made = { project_id: uploaded.project_id, run_id: uploaded.run_id }
      print(uploaded)
    }
  }

  const profiles = files.filter(({ kind }) => kind === 'profile')
  if (profiles.length > 0) {
    const runId = line.text('run')
    const place =
      made !== undefined && runId === undefined
        ? made
        : await findProfilePlace(client, {
            runId,
            repository: line.text('repository') ?? origin.repository,
          })
    const profile = {
      ...place,
      benchmark: line.text('benchmark'),
      type: line.text('type'),
      tags: line.list('tag') ?? [],
    }
    for (const { file } of profiles) {
      print(await withProgress(terminal, file, (progress) => uploadProfile(client, file, profile, progress)))
    }
  }
}

async function openFiles(
  line: CommandLine,
  terminal: Terminal,
): Promise<{ file: UploadFile; kind: FileKind }[]> {
  const names = line.positionals
  if (names.length === 0 && terminal.isStdinTyped) {
    throw new UsageError('Name the files to upload, or pipe the results in.')
  }
  const isProfile = line.flag('profile')
  const files: { file: UploadFile; kind: FileKind }[] = []
  for (const name of names.length === 0 ? ['-'] : names) {
    const file = name === '-' ? await readStdin(terminal.stdin) : await openFile(terminal.cwd, name)
    const kind = isProfile === undefined ? fileKind(file.name, file.head) : isProfile ? 'profile' : 'results'
    files.push({ file, kind })
  }
  return files
}

/** The run that options, CI and git describe. @throws UsageError for what none of them tells */
async function newRun(line: CommandLine, origin: RunOrigin, terminal: Terminal): Promise<NewRun> {
  const given = keyValues('env', line.list('env')) ?? {}
  const environment = { ...(await collectEnvironment(terminal.cwd)), ...given }
  const pullRequest = line.text('pull-request')
  return {
    repository: needed('repository', line.text('repository') ?? origin.repository),
    branch: needed('branch', line.text('branch') ?? origin.branch),
    commit_hash: needed('commit', line.text('commit') ?? origin.commitHash),
    commit_message: line.text('message') ?? origin.commitMessage,
    committed_at: origin.committedAt,
    pull_request: pullRequest === undefined ? origin.pullRequest : Number(pullRequest),
    event: line.text('event') ?? origin.event,
    environment: Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== '')),
    tags: line.list('tag') ?? [],
    adapter: line.text('adapter'),
  }
}

function needed(option: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw new UsageError(`Neither CI nor git tells the ${option}: give --${option}.`)
}

const shownWarningsMax = 5

function renderUploaded(uploaded: UploadedRun | UploadedProfile): string {
  return [
    uploaded.kind === 'results'
      ? `${uploaded.file}: ${uploaded.result_count} results, read as ${uploaded.adapter}, are run ${uploaded.run_id}`
      : `${uploaded.file}: read as ${uploaded.format}, is profile ${uploaded.profile_id}`,
    ...uploaded.warnings.slice(0, shownWarningsMax).map((warning) => `  warning: ${warning}`),
    ...(uploaded.warnings.length > shownWarningsMax
      ? [`  and ${uploaded.warnings.length - shownWarningsMax} warnings more; --json has them all`]
      : []),
    `  ${uploaded.url}`,
  ].join('\n')
}

async function withProgress<T>(
  terminal: Terminal,
  file: UploadFile,
  run: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = progressOn(terminal, file.name)
  try {
    return await run(progress)
  } finally {
    progress.end()
  }
}
