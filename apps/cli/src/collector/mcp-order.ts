import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { mcpMeasurementWords } from '@flamegate/contract/mcp-servers/mcp-measurement'
import { reportMcpSession } from '@flamegate/contract/mcp-servers/report-mcp-session'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import { inOwnFolder } from '../capture/in-own-folder.ts'
import { runChildCommand } from '../mcp/child-command.ts'
import { CouldNotMeasure } from '../mcp/could-not-measure.ts'
import { keptReports } from '../mcp/report/report-files.ts'
import { withProfiles } from '../mcp/report/store-report.ts'
import { configurationFile } from '../mcp/settings.ts'
import { isLoopback } from '../mcp/target/allowed-load.ts'
import type { AllowedMcpServer } from './allowed-mcp-server.ts'
import type { Order } from './carry-out.ts'
import type { CollectorContext } from './connect.ts'
import { orderedMeasurement, type McpSessionOrder } from './ordered-measurement.ts'

/** For opening the session, warming up and reading profiles, beside the time that a measurement may take. */
const besideMs = 120_000

/** A session of an MCP server that was asked for: it is measured, and the report is brought. */
export function mcpOrder(context: CollectorContext, ordered: McpSessionOrder): Order {
  const { patient, terminal, projectId } = context
  const { mcp_session_id: sessionId, server, measurement } = ordered
  const begun = `${measurement.command} of ${server}`
  let doing = begun
  return {
    id: sessionId,
    name: server,
    doing: () => doing,
    report: async (state) =>
      (await patient.call(reportMcpSession, { mcp_session_id: sessionId, ...state })).goes_on,
    carryOut: (interruption) =>
      inOwnFolder(async (folder) => {
        const { report, result } = await measure(context, ordered, {
          folder,
          interruption,
          onProgress: (text) => (doing = `${begun}: ${text}`.slice(0, 2000)),
        })
        const uploaded =
          report && (await withProfiles(report, { client: patient, terminal, projectId, folder }))
        await patient.call(reportMcpSession, {
          mcp_session_id: sessionId,
          state: 'done',
          ...(uploaded === undefined ? {} : { report: uploaded }),
          ...(result === undefined ? {} : { result }),
        })
        return `session ${sessionId}`
      }),
  }
}

interface MeasurePlace {
  folder: string
  interruption: AbortSignal
  onProgress: (text: string) => void
}

/** The report, and what the command prints in its place; settings that are tried have none. */
interface Measured {
  report: McpReport | undefined
  result: Record<string, unknown> | undefined
}

async function measure(
  { terminal, projectId, allowList, interruption: ending }: CollectorContext,
  ordered: McpSessionOrder,
  { folder, interruption, onProgress }: MeasurePlace,
): Promise<Measured> {
  const { allowed, measurement } = orderedMeasurement(ordered, allowList)
  const { arguments: given = {}, label, ...rest } = measurement
  const isTuned = rest.command === 'auto-tune'
  // The server is named in a file, so that nobody sees on a command line what it is given.
  const configuration = { mcpServers: { [allowed.name]: absolute(allowed.entry, terminal.cwd) } }
  await writeFile(path.join(folder, configurationFile), JSON.stringify(configuration))
  // A command line has an end.
  await writeFile(path.join(folder, 'arguments.json'), JSON.stringify(given))
  const limit = AbortSignal.timeout(1000 * allowed.secondsMax + besideMs)
  const { exitCode, out, said } = await runChildCommand(
    [
      ...mcpMeasurementWords(rest),
      // It looks for the rate by itself.
      ...(rest.command === 'capacity'
        ? [`--start-rps=${Math.min(10, allowed.rpsMax)}`, `--max-rps=${allowed.rpsMax}`]
        : []),
      '--arguments=@arguments.json',
      `--may-change=${allowed.operations.join(',')}`,
      `--mcp=${allowed.name}`,
      `--project=${projectId}`,
      '--json',
      ...(isTuned ? [] : ['--no-upload', ...(label === undefined ? [] : [`--label=${label}`])]),
    ],
    {
      cwd: folder,
      env: envFor(allowed, terminal.env),
      signal: AbortSignal.any([interruption, limit]),
      onProgress,
    },
  )
  // What the end of the collector cut short is brought; what was called off is not.
  if (!ending.aborted) interruption.throwIfAborted()
  if (limit.aborted)
    throw new CouldNotMeasure(`It took longer than the ${allowed.secondsMax} s that it may here.`)
  // 1 says that a goal was missed, which the report shows.
  if (exitCode !== 0 && exitCode !== 1) throw new CouldNotMeasure(refusalIn(said))
  const printed: unknown = JSON.parse(out)
  const result = mcpReport.safeParse(printed).success ? undefined : { ...Object(printed) }
  for await (const { report } of keptReports(folder)) return { report, result }
  return { report: undefined, result }
}

/** As the file has it, from wherever it is read. */
function absolute(entry: AllowedMcpServer['entry'], cwd: string): AllowedMcpServer['entry'] {
  return 'command' in entry ? { ...entry, cwd: path.resolve(cwd, entry.cwd ?? '.') } : entry
}

/** A server that is started is not to see the token. For one elsewhere the platform is asked whether it may be aimed at. */
function envFor(
  { entry }: AllowedMcpServer,
  env: CollectorContext['terminal']['env'],
): CollectorContext['terminal']['env'] {
  const isElsewhere = 'url' in entry && !isLoopback(new URL(entry.url).hostname)
  return isElsewhere ? env : { ...env, FLAMEGATE_TOKEN: undefined }
}

/** Without what it says of where it found the server, and where it put the report. */
function refusalIn(said: string): string {
  const lines = said.split('\n').filter((line) => !/^Kept as |, from mcp-profiler\.config\.json$/.test(line))
  return lines.join('\n').trim() || 'It ended without a word.'
}
