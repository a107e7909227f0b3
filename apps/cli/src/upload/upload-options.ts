import { submitBenchmarkResults } from '@flamegate/contract/benchmarks/submit-benchmark-results'
import type { CommandLine, Option } from '../arguments/command-line.ts'
import { keyValues } from '../arguments/field-values.ts'
import { operationFields } from '../arguments/operation-field.ts'
import { collectEnvironment } from '../origin/environment.ts'
import type { RunOrigin } from '../origin/run-origin.ts'
import { sourceMapsOption } from '../source-maps/source-map-options.ts'
import { UsageError } from '../usage-error.ts'
import type { NewRun } from './upload-results.ts'

const adapters = operationFields(submitBenchmarkResults).find((field) => field.name === 'adapter')

/** What says where results belong and how they are read; everything that CI or git tell may be said otherwise. */
export const uploadOptions: readonly Option[] = [
  {
    name: 'repository',
    value: '<text>',
    description: 'owner/name, or the id of the project (prj_…); FLAMEGATE_PROJECT when left out.',
  },
  { name: 'branch', value: '<text>', description: 'Branch that was measured.' },
  { name: 'commit', value: '<hash>', description: 'Commit that was measured, as 7 to 64 hex digits.' },
  { name: 'message', value: '<text>', description: 'First line of the commit message.' },
  { name: 'committed-at', value: '<time>', description: 'When it was committed, as ISO 8601 in UTC.' },
  { name: 'pull-request', value: '<number>', description: 'Number of the pull request.' },
  { name: 'base-branch', value: '<text>', description: 'Branch that the pull request goes into.' },
  { name: 'base-commit', value: '<hash>', description: 'Commit at which the branch left its base.' },
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
    name: 'environment',
    value: '<key=value>',
    isRepeatable: true,
    description:
      'Fact about machine or toolchain, in place of the one that is collected; an empty value leaves it out. --no-environment: nothing is collected.',
  },
  sourceMapsOption,
  {
    name: 'wait',
    description:
      'Stay until the files are read and say what was read, which is the default; --no-wait: do not.',
  },
]

/**
 * The run that options, CI and git describe.
 * @param command program that was measured, when it is known
 * @throws UsageError for what none of them tells
 */
export async function newRun(
  line: CommandLine,
  origin: RunOrigin,
  { cwd, command, project }: { cwd: string; command?: string | undefined; project?: string | undefined },
): Promise<NewRun> {
  const isCollected = line.flag('environment') !== false
  const environment = {
    ...(isCollected ? await collectEnvironment(cwd, command) : {}),
    ...keyValues('environment', line.list('environment')),
  }
  const pullRequest = line.text('pull-request')
  return {
    repository: needed('repository', line.text('repository') ?? project ?? origin.repository),
    branch: needed('branch', line.text('branch') ?? origin.branch),
    commit_hash: needed('commit', line.text('commit') ?? origin.commitHash),
    commit_message: line.text('message') ?? origin.commitMessage,
    committed_at: line.text('committed-at') ?? origin.committedAt,
    pull_request: pullRequest === undefined ? origin.pullRequest : Number(pullRequest),
    base_branch: line.text('base-branch') ?? origin.baseBranch,
    base_commit_hash: line.text('base-commit') ?? origin.baseCommitHash,
    event: line.text('event') ?? origin.event,
    environment: Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== '')),
    tags: line.list('tag') ?? [],
    adapter: line.text('adapter'),
  }
}

/** @throws UsageError for what nothing tells */
export function needed(option: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw new UsageError(`Neither CI nor git tells the ${option}: give --${option}.`)
}
