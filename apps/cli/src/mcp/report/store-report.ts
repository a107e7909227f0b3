import path from 'node:path'
import { ApiProblem, type Client } from '@flamegate/client'
import { uploadMcpReport } from '@flamegate/contract/mcp-servers/upload-mcp-report'
import type { McpComparison, McpReport } from '@flamegate/mcp-profiling'
import type { CommandLine } from '../../arguments/command-line.ts'
import { uploadCaptured } from '../../capture/upload-captured.ts'
import { cliClient } from '../../cli-client.ts'
import { renderProblem } from '../../problem-text.ts'
import type { Terminal } from '../../terminal.ts'
import { patientClient } from '../../upload/patient-client.ts'
import { findProfilePlace } from '../../upload/profile-place.ts'
import { keepReport } from './report-files.ts'

interface Storing {
  line: CommandLine
  terminal: Terminal
  /** What the command prints in place of the report. */
  result?: Record<string, unknown>
}

/**
 * Keeps a report, and uploads it with its profiles where a project is named. A folder that cannot be written, or a platform that
 * does not take it, is told, and is no reason to fail: it is measured.
 * @returns the report with the ids that its profiles got
 */
export async function storeReport(report: McpReport, storing: Storing): Promise<McpReport> {
  const { line, terminal } = storing
  // Before it is uploaded, which may take a while, or be stopped.
  const isKept = line.flag('keep') !== false && (await keep(report, terminal))
  const project = line.text('project') ?? (terminal.env['FLAMEGATE_PROJECT'] || undefined)
  if (line.flag('upload') === false || project === undefined) return report
  try {
    const uploaded = await upload(report, project, storing)
    if (isKept) await keepReport(terminal.cwd, uploaded)
    return uploaded
  } catch (error) {
    terminal.writeError(`Not uploaded: ${reasonOf(error)}\n`)
    return report
  }
}

/** @returns whether it is kept */
async function keep(report: McpReport, terminal: Terminal): Promise<boolean> {
  try {
    terminal.writeError(`Kept as ${await keepReport(terminal.cwd, report)}\n`)
    return true
  } catch (error) {
    terminal.writeError(`Not kept: ${reasonOf(error)}\n`)
    return false
  }
}

/** What two servers that were measured in turns have in common. */
export interface MeasuredInTurns {
  comparison: McpComparison
  /** Of the base and of the head. */
  reports: readonly [McpReport, McpReport]
}

/** The same for two servers: the report of the head has the comparison with it. */
export async function storeInTurns(
  { comparison, reports: [base, head] }: MeasuredInTurns,
  storing: Omit<Storing, 'result'>,
): Promise<void> {
  await storeReport(base, storing)
  await storeReport(head, { ...storing, result: { ...comparison } })
}

async function upload(report: McpReport, project: string, { terminal, result }: Storing): Promise<McpReport> {
  const client = patientClient(cliClient(terminal), terminal)
  const { project_id: projectId } = await findProfilePlace(client, { repository: project })
  const uploaded = await withProfiles(report, { client, terminal, projectId, folder: terminal.cwd })
  const { url } = await client.call(uploadMcpReport, {
    project_id: projectId,
    report: uploaded,
    ...(result === undefined ? {} : { result }),
  })
  terminal.writeError(`Uploaded: ${url}\n`)
  return uploaded
}

/** Made of the profiles, for people. */
const drawing = /\.(?:svg|txt|html)$/

/** How the platform calls what a profile measured. */
const profileTypes = { cpu: 'cpu', heap: 'heap', allocations: 'allocs' } as const

/** Undefined: the file says it itself. */
function typeOf({ kind, path: file }: McpReport['profiles'][number]): string | undefined {
  if (kind === 'heap_snapshot' || kind === 'other' || file.endsWith('.jfr')) return undefined
  return profileTypes[kind]
}

/** Uploads the profiles of a report, of which the paths are within a folder. @returns the report with their ids */
export async function withProfiles(
  report: McpReport,
  {
    client,
    terminal,
    projectId,
    folder,
  }: { client: Client; terminal: Terminal; projectId: string; folder: string },
): Promise<McpReport> {
  const profiles: McpReport['profiles'] = []
  for (const profile of report.profiles) {
    if (drawing.test(profile.path)) {
      profiles.push(profile)
      continue
    }
    try {
      const uploaded = await uploadCaptured(
        [path.resolve(folder, profile.path)],
        {
          project_id: projectId,
          benchmark: undefined,
          name: `${profile.kind.replace('_', ' ')} of ${report.target.name}`,
          type: typeOf(profile),
          tags: ['mcp-profiler'],
        },
        {
          client,
          terminal,
          moment: report.startedAt,
          isWaited: false,
          search: { cwd: folder, folders: [] },
        },
      )
      profiles.push({ ...profile, profileId: uploaded[0]?.profile_id ?? null })
    } catch (error) {
      terminal.writeError(`${profile.path} was not uploaded: ${reasonOf(error)}\n`)
      profiles.push(profile)
    }
  }
  return { ...report, profiles }
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiProblem) return renderProblem(error)
  return error instanceof Error ? error.message : 'why is not known'
}
