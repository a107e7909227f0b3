import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { McpReport } from '@flamegate/mcp-profiling'
import { keptReports } from '../report/report-files.ts'

/** Removes reports of the same command on the same server that are older than that. */
export async function expireReports(
  cwd: string,
  { command, target }: Pick<McpReport, 'command' | 'target'>,
  retentionMs: number,
): Promise<void> {
  const before = Date.now() - retentionMs
  for await (const { file, report } of keptReports(cwd)) {
    const isSame = report.command === command && report.target.name === target.name
    if (isSame && Date.parse(report.startedAt) < before) await rm(path.join(cwd, file), { force: true })
  }
}
