import { operations } from '@flamegate/contract'
import { findRunOrigin } from '../origin/run-origin.ts'
import { UsageError } from '../usage-error.ts'
import { agent } from './agent.ts'
import { bridgeCommand } from './bridge.ts'
import { callCommand } from './call.ts'
import { check } from './check.ts'
import type { Command, CommandContext } from './command.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { doctor } from './doctor.ts'
import { mcpCommand } from './mcp.ts'
import { monitor } from './monitor.ts'
import { operationCommand } from './operation-command.ts'
import { profile } from './profile.ts'
import { run } from './run.ts'
import { upload } from './upload.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  upload,
  run,
  check,
  profile,
  agent,
  monitor,
  bridgeCommand(undefined),
  mcpCommand(undefined),
  operationCommand({
    name: 'runs',
    summary: 'List the benchmark runs of this repository.',
    operation: operations.listRuns,
    complete: withRepository,
  }),
  operationCommand({
    name: 'compare',
    summary: 'Judge a run against another and print the report.',
    operation: operations.compareRuns,
    positionals: [
      { name: 'base', fieldFor: () => 'base_run_id' },
      { name: 'head', fieldFor: () => 'head_run_id' },
    ],
    // Only the latest run has to be looked for somewhere.
    complete: (input, context) =>
      (input['head_run_id'] ?? 'latest') === 'latest'
        ? withRepository(input, context)
        : Promise.resolve(input),
  }),
  operationCommand({
    name: 'flamegraph',
    summary: 'Show where a benchmark of a run, or a profile, spends its time.',
    operation: operations.queryFlamegraph,
    positionals: [
      { name: 'profile|run', fieldFor: (value) => (value.startsWith('prf_') ? 'profile_id' : 'run_id') },
      { name: 'benchmark', fieldFor: () => 'benchmark' },
    ],
    complete: (input) =>
      Promise.resolve('profile_id' in input || 'run_id' in input ? input : { run_id: 'latest', ...input }),
  }),
  operationCommand({
    name: 'projects',
    summary: 'List the projects of a workspace.',
    operation: operations.listProjects,
    complete: withOnlyWorkspace,
  }),
  operationCommand({
    name: 'whoami',
    summary: 'Show in whose name you act, and what is allowed.',
    operation: operations.getCurrentUser,
  }),
  logIn,
  logOut,
  doctor,
  callCommand(undefined),
]

/** The command of that name; for `call`, with the operation that comes after it. @throws UsageError */
export function findCommand(name: string, next: string | undefined): Command {
  if (name === 'call') return callCommand(next)
  if (name === 'bridge') return bridgeCommand(next)
  if (name === 'mcp') return mcpCommand(next)
  const command = commands.find((each) => each.name === name)
  if (command === undefined) {
    throw new UsageError(`There is no command ${name}. flamegate --help lists them.`)
  }
  return command
}

/** The repository that CI or git name, where none was given. */
async function withRepository(
  input: Record<string, unknown>,
  { terminal }: CommandContext,
): Promise<Record<string, unknown>> {
  if ('repository' in input) return input
  const { repository } = await findRunOrigin({ env: terminal.env, cwd: terminal.cwd })
  return repository === undefined ? input : { ...input, repository }
}

/** The workspace of the token; an API token has exactly one. */
async function withOnlyWorkspace(
  input: Record<string, unknown>,
  context: CommandContext,
): Promise<Record<string, unknown>> {
  if ('workspace_id' in input) return input
  const { workspaces } = await context.client().call(operations.listWorkspaces, {})
  const [first, ...others] = workspaces
  if (first !== undefined && others.length === 0) return { ...input, workspace_id: first.id }
  throw new UsageError(
    first === undefined
      ? 'You are in no workspace.'
      : `Choose a workspace with --workspace-id: ${workspaces.map((each) => `${each.id} (${each.name})`).join(', ')}.`,
  )
}
