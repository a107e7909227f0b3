import type { McpMeasurement } from '@flamegate/contract'
import { CouldNotMeasure } from '../mcp/could-not-measure.ts'
import type { AllowList } from './allow-list.ts'
import type { AllowedMcpServer } from './allowed-mcp-server.ts'

/** What the platform asks for: a name from the list, and what to measure. */
export interface McpSessionOrder {
  mcp_session_id: string
  server: string
  measurement: McpMeasurement
}

/** Commands that keep calls under way at a time, as many as they choose when nothing is said. */
const concurrentByDefault: Partial<Record<McpMeasurement['command'], number>> = {
  'load-test': 10,
  throughput: 5,
  test: 5,
}

/**
 * The measurement that an order means, within the limits of the list.
 * @throws CouldNotMeasure for anything that is not on it
 */
export function orderedMeasurement(
  { server, measurement }: McpSessionOrder,
  { mcpServers }: AllowList,
): { allowed: AllowedMcpServer; measurement: McpMeasurement } {
  const allowed = mcpServers.find(({ name }) => name === server)
  if (allowed === undefined) throw new CouldNotMeasure(`This collector may not measure ${server}.`)
  const refusal = refusalOf(measurement, allowed)
  if (refusal !== undefined) throw new CouldNotMeasure(`${server}: ${refusal}`)
  const { command, operations = [], rps, concurrent } = measurement
  const atATime = concurrentByDefault[command]
  return {
    allowed,
    measurement: {
      ...measurement,
      operations: operations.length > 0 ? operations : [...allowed.operations],
      arguments: { ...measurement.arguments, ...allowed.arguments },
      ...(atATime !== undefined && concurrent === undefined && rps === undefined
        ? { concurrent: [Math.min(atATime, allowed.concurrentMax)] }
        : {}),
    },
  }
}

/** What of it is not allowed, and what is. */
function refusalOf(measurement: McpMeasurement, allowed: AllowedMcpServer): string | undefined {
  const { command, operations = [], concurrent = [], seconds, settings = {} } = measurement
  if (!allowed.commands.includes(command)) {
    return `${command} is not allowed here; ${allowed.commands.join(', ')} are.`
  }
  const others = operations.filter((name) => !allowed.operations.includes(name))
  // Without a list, what measures refuses tools that do not say that they only read.
  if (allowed.operations.length > 0 && others.length > 0) {
    return `${others.join(', ')} may not be called here; ${allowed.operations.join(', ')} may.`
  }
  const sent = Object.keys(measurement.arguments ?? {}).filter(
    (name) => !Object.hasOwn(allowed.arguments, name),
  )
  if (!allowed.takesArguments && sent.length > 0) {
    return `Arguments of ${sent.join(', ')} are not taken here: they belong into the file of the collector, or takes_arguments does.`
  }
  if (seconds !== undefined && seconds > allowed.secondsMax) {
    return `It may take ${allowed.secondsMax} s at most here.`
  }
  const { rps = 0, target_rps: needed = 0 } = measurement
  if (Math.max(rps, needed) > allowed.rpsMax) {
    return `${allowed.rpsMax} calls per second are the most here.`
  }
  if (Math.max(0, ...concurrent) > allowed.concurrentMax) {
    return `${allowed.concurrentMax} calls at a time are the most here.`
  }
  const untried = Object.entries(settings).filter(
    ([name, values]) =>
      !Object.hasOwn(allowed.settings, name) ||
      !values.every((value) => allowed.settings[name]?.includes(value) === true),
  )
  if (untried.length > 0) {
    return `${untried.map(([name]) => name).join(', ')}: the file of the collector does not have these values to try.`
  }
  return undefined
}
