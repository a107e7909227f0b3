import { bridgeKinds } from '../bridge/kinds.ts'
import { UsageError } from '../usage-error.ts'
import { listed, type ListedCommand } from './command.ts'

/** Every command, in the order of the help. */
export const commands: readonly ListedCommand[] = [
  listed(
    'upload',
    'Upload benchmark results and profiles.',
    async () => (await import('./upload.ts')).upload,
  ),
  listed(
    'run',
    'Run a benchmark command, upload what it measured, and check it.',
    async () => (await import('./run.ts')).run,
  ),
  listed(
    'check',
    'Pass or fail: judge a run against its baseline.',
    async () => (await import('./check.ts')).check,
  ),
  listed(
    'profile',
    'Take profiles on this machine and upload them, once or again and again.',
    async () => (await import('./profile.ts')).profile,
  ),
  listed(
    'agent',
    'Stay, and take profiles or make load when the platform asks for it.',
    async () => (await import('./agent.ts')).agent,
  ),
  listed(
    'monitor',
    'Stay, and collect counters of a system under test while load tests go on.',
    async () => (await import('./monitor.ts')).monitor,
  ),
  listed(
    'bridge',
    `Read what measures a running program (${bridgeKinds.map((kind) => kind.name).join(', ')}), and push it to a live app.`,
    async (next) => (await import('./bridge.ts')).bridgeCommand(next),
  ),
  listed('mcp', 'Measure an MCP server: latency, load, capacity, regressions.', async (next) =>
    (await import('./mcp.ts')).mcpCommand(next),
  ),
  listed(
    'mcp-stdio',
    'Connect an MCP client that knows only commands, over standard streams.',
    async () => (await import('./mcp-stdio.ts')).mcpStdio,
  ),
  listed('runs', 'List the benchmark runs of this repository.', async () => (await import('./runs.ts')).runs),
  listed(
    'compare',
    'Judge a run against another and print the report.',
    async () => (await import('./compare.ts')).compare,
  ),
  listed(
    'flamegraph',
    'Show where a benchmark of a run, or a profile, spends its time.',
    async () => (await import('./flamegraph.ts')).flamegraph,
  ),
  listed(
    'projects',
    'List the projects of a workspace.',
    async () => (await import('./projects.ts')).projects,
  ),
  listed(
    'whoami',
    'Show in whose name you act, and what is allowed.',
    async () => (await import('./whoami.ts')).whoami,
  ),
  listed(
    'login',
    'Log in with a browser, here or elsewhere, in place of an API token.',
    async () => (await import('./log-in.ts')).logIn,
  ),
  listed('logout', 'End the log-in of flamegate login.', async () => (await import('./log-out.ts')).logOut),
  listed(
    'doctor',
    'Examine the connection of any MCP server: discovery, registration, log-in, calls.',
    async () => (await import('./doctor.ts')).doctor,
  ),
  listed(
    'admin',
    'Back up an installation, verify a backup or restore it, change keys, sweep.',
    async () => (await import('./admin.ts')).admin,
  ),
  listed('call', 'Call any operation by its name and print its answer as JSON.', async (next) =>
    (await import('./call.ts')).callCommand(next),
  ),
]

/** The command of that name. @throws UsageError */
export function findCommand(name: string): ListedCommand {
  const command = commands.find((each) => each.name === name)
  if (command === undefined) {
    throw new UsageError(`There is no command ${name}. flamegate --help lists them.`)
  }
  return command
}
