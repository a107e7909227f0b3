import { mcpReportBytesMax, Problem } from '@flamegate/contract'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import type { CallContext } from '../implement.ts'
import type { McpReported } from '../ports/index.ts'
import { figuresOf } from './report-figures.ts'

/** Faults that are told, of a report that is none. */
const faultsMax = 10
/** Profiles that one report may name. */
const profilesMax = 50

/**
 * A report as somebody sent it.
 * @throws Problem `invalid_input` that names each field that is wrong
 */
export function readMcpReport(sent: Record<string, unknown>): McpReport {
  const read = mcpReport.safeParse(sent)
  if (!read.success) {
    throw new Problem('invalid_input', 'This is no report as mcp-profiler writes it with --json.', {
      errors: read.error.issues
        .slice(0, faultsMax)
        .map(({ path, message }) => ({ field: ['report', ...path.map(String)].join('.'), message })),
    })
  }
  const unmatched = read.data.operations.findIndex((operation) =>
    [operation.latency, operation.serviceTime, operation.firstEvent, operation.serverTime].some(
      ({ slots, counts }) =>
        slots.length !== counts.length ||
        slots.some((slot, at) => slot > 65_535 || slot <= (slots[at - 1] ?? -1)),
    ),
  )
  if (unmatched !== -1) {
    throw new Problem('invalid_input', 'A histogram has rising slots, and a count for each.', {
      errors: [{ field: `report.operations.${unmatched}`, message: 'Its histograms cannot be read.' }],
    })
  }
  return read.data
}

/** What is kept of a report, after its profiles were looked for in the project. */
export async function reportedOf(
  { caller, deps }: CallContext,
  projectId: string,
  report: McpReport,
  result: Record<string, unknown> | undefined,
): Promise<McpReported> {
  const named = report.profiles.flatMap(({ profileId }) => (profileId === null ? [] : [profileId]))
  const profileIds = [...new Set(named)]
  if (profileIds.length > profilesMax) {
    throw new Problem('invalid_input', `A report names ${profilesMax} profiles at most.`, {
      errors: [{ field: 'report.profiles', message: `At most ${profilesMax}.` }],
    })
  }
  const found = await Promise.all(profileIds.map((id) => deps.stores.profiles.find(caller, id)))
  const missing = profileIds.find((_id, at) => found[at]?.projectId !== projectId)
  if (missing !== undefined) {
    throw new Problem('profile_not_found', `There is no profile ${missing} in this project.`, {
      errors: [{ field: 'report.profiles', message: 'Upload the profiles to the same project first.' }],
    })
  }
  if (JSON.stringify([report, result]).length > mcpReportBytesMax / 2) {
    throw new Problem('too_large', `A report has ${mcpReportBytesMax / 2 ** 21} MiB at most.`)
  }
  return {
    report,
    result: result ?? null,
    startedAt: new Date(report.startedAt),
    serverVersion: report.target.server?.version ?? null,
    figures: figuresOf(report),
    profileIds,
  }
}
