import {
  mcpMeasurementWords,
  newId,
  Problem,
  type McpMeasurement,
  type operations,
  type OutputOf,
} from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import { mcpBounds } from '../limits/mcp-limits.ts'
import type { Collector, McpSession, McpTarget, OfferedMcpServer } from '../ports/index.ts'
import { isConnected } from '../profiles/collectors.ts'
import { shellWord } from '../profiles/shell-words.ts'
import { mcpSessionOnWire } from './on-wire.ts'
import { refused } from './refused.ts'

type Answer = OutputOf<typeof operations.profileMcpServer>

/** How long a collector has beside the measurement itself: to come for it, to begin, and to send the report. */
const spareMinutes = 15

export interface McpOffer {
  collector: Collector
  server: OfferedMcpServer
}

/** Connected collectors that may measure a target, with what they may do. */
export async function offersOf(
  { caller, deps }: CallContext,
  { projectId, name }: Pick<McpTarget, 'projectId' | 'name'>,
): Promise<McpOffer[]> {
  const collectors = await deps.stores.collectors.list(caller, projectId)
  return collectors
    .filter((collector) => isConnected(collector))
    .flatMap((collector) =>
      collector.mcpServers.flatMap((server) => (server.name === name ? [{ collector, server }] : [])),
    )
}

/**
 * Has a connected collector measure a target; where none may, tells the commands that do it.
 * @throws Problem `invalid_input` that names what the collector does not allow
 */
export async function orderOrTell(
  context: CallContext,
  target: McpTarget,
  asked: McpMeasurement,
): Promise<Answer> {
  const measurement = withTargets(target, asked)
  const { command } = measurement
  const offers = await offersOf(context, target)
  const offer = offers.find(({ server }) => server.commands.includes(command))
  if (offer === undefined) {
    const names = offers.map(({ collector }) => collector.name).join(', ')
    return {
      project_id: target.projectId,
      mcp_target_id: target.id,
      session: null,
      task_id: null,
      next_poll_seconds: null,
      collector: null,
      commands: commandsFor(target, measurement),
      notes: offers.length === 0 ? [] : [`${names} may measure it, and not by ${command}.`],
    }
  }
  requireAllowed(measurement, offer.server)
  const session = await orderSession(context, target, {
    measurement,
    offer,
    origin: 'ordered',
    expiresAt: null,
  })
  return {
    project_id: target.projectId,
    mcp_target_id: target.id,
    session: mcpSessionOnWire(session),
    task_id: session.taskId,
    next_poll_seconds: 2,
    collector: offer.collector.name,
    commands: [],
    notes: [],
  }
}

/** Makes the task, and what the collector is to do for it. */
export async function orderSession(
  { caller, deps, requestId, concerns }: CallContext,
  target: McpTarget,
  {
    measurement,
    offer: { collector, server },
    origin,
    expiresAt,
  }: { measurement: McpMeasurement; offer: McpOffer } & Pick<McpSession, 'origin' | 'expiresAt'>,
): Promise<McpSession> {
  const { workspaceId, projectId, id: mcpTargetId } = target
  const [id, taskId] = [newId('mcpSession'), newId('task')]
  concerns(workspaceId, id)
  await deps.stores.tasks.create(caller, {
    id: taskId,
    workspaceId,
    projectId,
    kind: 'measure_mcp_server',
    message: `Waiting for the collector ${collector.name}`,
    result: { collector: collector.name, mcp_target_id: mcpTargetId, mcp_session_id: id },
  })
  // Before the collector can hear of it, so that none waits for ever.
  const waitMs = secondsAtMost(measurement, server) * 1000 + spareMinutes * 60_000
  await deps.queue.add('end_capture', { taskId, workspaceId, requestId, waitMs }, { delayMs: waitMs })
  const bounds = await mcpBounds(deps, workspaceId)
  const refusal = await deps.stores.mcp.order(
    caller,
    {
      id,
      workspaceId,
      projectId,
      mcpTargetId,
      label: measurement.label ?? null,
      origin,
      expiresAt,
      measurement,
      taskId,
      collectorId: collector.id,
      collector: collector.name,
    },
    bounds,
  )
  if (refusal !== undefined) {
    await deps.stores.tasks.remove(caller, taskId)
    throw refused(refusal, bounds)
  }
  const session = await deps.stores.mcp.findSession(caller, id)
  if (session === undefined) throw new TypeError(`Session ${id} is gone`)
  return session
}

/** What a person runs in place of a collector. Its report is uploaded to the project, where it finds the target again. */
export function commandsFor(target: McpTarget, measurement: McpMeasurement): Answer['commands'] {
  return [
    {
      title: 'Measure it and upload the report',
      command: commandLine(target, mcpMeasurementWords(measurement)),
    },
  ]
}

export function commandLine(
  { name, address, transport, projectId }: Pick<McpTarget, 'name' | 'address' | 'transport' | 'projectId'>,
  words: readonly string[],
): string {
  const isCommand = transport === 'stdio' && address !== null
  return [
    ...['mcp-profiler', ...words].map(shellWord),
    ...(isCommand ? [] : ['--mcp', shellWord(address ?? name)]),
    '--project',
    projectId,
    // A command line as it was given, because it is one for a shell.
    ...(isCommand ? ['--', address] : []),
  ].join(' ')
}

/** Tools and arguments are those of the target where none are asked for. */
function withTargets(target: McpTarget, asked: McpMeasurement): McpMeasurement {
  const named = asked.operations ?? (target.operations.length === 0 ? undefined : target.operations)
  const given = Object.entries(target.arguments).filter(
    ([tool]) => named === undefined || named.includes(tool),
  )
  const { command, ...rest } = asked
  return {
    command,
    ...(command === 'production' || named === undefined ? {} : { operations: named }),
    ...(command === 'production' || given.length === 0 ? {} : { arguments: Object.fromEntries(given) }),
    ...rest,
  }
}

/** Commands that measure more than once take as long as they may. */
function secondsAtMost({ command, seconds }: McpMeasurement, { secondsMax }: OfferedMcpServer): number {
  return command === 'capacity' || command === 'auto-tune' ? secondsMax : (seconds ?? secondsMax)
}

/** @throws Problem `invalid_input` */
function requireAllowed(measurement: McpMeasurement, server: OfferedMcpServer): void {
  const { seconds = 0, rps = 0, target_rps: targetRps = 0, concurrent = [], settings = {} } = measurement
  const tools = (measurement.operations ?? []).filter(
    (name) => server.operations.length > 0 && !server.operations.includes(name),
  )
  const variables = Object.keys(settings).filter((name) => !server.settings.includes(name))
  const errors = [
    ...(seconds > server.secondsMax ? [{ field: 'seconds', message: `At most ${server.secondsMax}.` }] : []),
    ...(rps > server.rpsMax ? [{ field: 'rps', message: `At most ${server.rpsMax}.` }] : []),
    ...(targetRps > server.rpsMax ? [{ field: 'target_rps', message: `At most ${server.rpsMax}.` }] : []),
    ...(Math.max(0, ...concurrent) > server.concurrentMax
      ? [{ field: 'concurrent', message: `At most ${server.concurrentMax}.` }]
      : []),
    ...(tools.length > 0
      ? [{ field: 'operations', message: `${tools.join(', ')}: not among ${server.operations.join(', ')}.` }]
      : []),
    ...(variables.length > 0
      ? [
          {
            field: 'settings',
            message: `${variables.join(', ')}: the file of the collector has to list them.`,
          },
        ]
      : []),
  ]
  if (errors.length === 0) return
  throw new Problem('invalid_input', 'The file of the collector does not allow this.', { errors })
}
