import { jsonOption } from '../arguments/command-line.ts'
import { checkOptions } from '../check/check-options.ts'
import { findRunOrigin } from '../origin/run-origin.ts'
import { findFiles } from '../upload/find-files.ts'
import { openFiles, openStdin, uploadAll } from '../upload/upload-all.ts'
import { uploadOptions } from '../upload/upload-options.ts'
import { UsageError } from '../usage-error.ts'
import { judge } from './check.ts'
import type { CommandBody, CommandContext } from './command.ts'

export const upload: CommandBody = {
  details:
    'Names may be files, folders as tools write them, and patterns such as **/bench.json; without any, or with -, stdin is read. All results of one call are one run; profiles are attached to it, or to --run. Repository, branch, commit, message, pull request with its base, and event come from the variables of GitHub Actions, GitLab CI, Buildkite, CircleCI or Jenkins, else from git. What was interrupted can be repeated: the same files of the same commit and job make no second run. Exit codes: 0 done, 1 refused, or --check failed, 2 wrong usage, 3 no connection.',
  positionals: ['files…'],
  options: [
    {
      name: 'profile',
      description: 'All files are profiles; --no-profile: none is. Told by name and content when left out.',
    },
    { name: 'check', description: 'Then judge the run, as flamegate check does.' },
    ...uploadOptions,
    ...checkOptions,
    {
      name: 'type',
      value: '<text>',
      description: 'What a profile measured, such as cpu or heap; taken from the file when left out.',
    },
    { name: 'run', value: '<id>', description: 'Run that profiles belong to: its id, or latest.' },
    { name: 'benchmark', value: '<uri>', description: 'Benchmark that profiles show: uri or id.' },
    { ...jsonOption, description: 'Print one JSON object per run and profile.' },
  ],
  run: runUpload,
}

async function runUpload(context: CommandContext): Promise<number> {
  const { line, terminal } = context
  if (line.positionals.length === 0 && terminal.isStdinTyped) {
    throw new UsageError('Name the files to upload, or pipe the results in.')
  }
  const names = line.positionals
  const isProfile = line.flag('profile')
  const isStdin = names.length === 0 || names.includes('-')
  if (isStdin && names.length > 1) throw new UsageError('Name files, or - for stdin, but not both.')
  const files = isStdin
    ? [await openStdin(terminal.stdin, isProfile)]
    : await openFiles(await findFiles(terminal.cwd, names), isProfile)
  const origin = await findRunOrigin({
    env: terminal.env,
    cwd: terminal.cwd,
    commitHash: line.text('commit'),
  })
  const made = await uploadAll(context, files, { origin })
  if (line.flag('check') !== true || made === undefined) return 0
  return judge(context, origin, { runId: made.run_id })
}
