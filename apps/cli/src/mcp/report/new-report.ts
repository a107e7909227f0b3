import { arch, cpus, totalmem, type as systemName, release } from 'node:os'
import type { McpReport } from '@flamegate/mcp-profiling'
import type { OpenServer } from '../open-server.ts'

/** What every report has, whatever was measured. */
type Always = 'type' | 'version' | 'startedAt' | 'durationMs' | 'target' | 'machine' | 'connection'

/** What a command says of itself, and what it measured. */
export interface ReportParts extends Partial<Omit<McpReport, Always>> {
  command: string
  startedAt: Date
  label: string | undefined
}

/** What a report has of a server. */
export interface ReportedServer extends Pick<OpenServer, 'target' | 'connection'> {
  session: Pick<OpenServer['session'], 'server'>
}

/** A report on a server; what was not measured is null or empty in it. */
export function newReport(
  { target, session, connection }: ReportedServer,
  { startedAt, label, ...parts }: ReportParts,
): McpReport {
  const processors = cpus()
  return {
    type: 'mcp_profiler_report',
    version: 1,
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, Date.now() - startedAt.getTime()),
    target: {
      name: target.name,
      transport: target.kind === 'stdio' ? 'stdio' : target.transport,
      command: target.kind === 'stdio' ? [...target.command] : null,
      url: target.kind === 'http' ? withoutCredentials(target.url) : null,
      server: session.server,
      label: label ?? null,
    },
    machine: {
      os: `${systemName()} ${release()}`,
      arch: arch(),
      cpuModel: processors[0]?.model ?? 'unknown',
      cpuCount: processors.length,
      memoryBytes: totalmem(),
      runtime: `Node.js ${process.version}`,
    },
    connection,
    load: null,
    operations: [],
    sweep: [],
    resources: [],
    inside: null,
    profiles: [],
    notes: [],
    ...parts,
  }
}

/** Queries hold tokens as often as anything else. */
function withoutCredentials(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  url.search = ''
  return url.href
}
