import { diagnoseReport, reportMarkdown } from '@flamegate/mcp-profiling'
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { UsageError } from '../../usage-error.ts'
import { findReport, keptReports } from '../report/report-files.ts'
import { knownServers } from '../target/known-servers.ts'
import { answering } from './answering.ts'
import type { CommandRunner } from './run-for-client.ts'
import { optionsOf, session, target } from './served-input.ts'
import { summaryOf } from './summary.ts'

const annotations = { readOnlyHint: true, openWorldHint: false }

/** Tools that look at what is there: files, and sessions of before. */
export function addReadingTools(server: McpServer, runner: CommandRunner): void {
  const { terminal } = runner.settings

  server.registerTool(
    'list_mcp_targets',
    {
      title: 'List MCP servers that can be measured',
      description: "Names of servers in mcp-profiler.config.json and in clients' files.",
      annotations,
      inputSchema: z.strictObject({}),
    },
    async () => {
      const { servers, faults } = await knownServers(terminal)
      const lines = servers.map(({ name, from, kind }) => `- ${name} (${kind}, from ${from})`)
      if (lines.length === 0) lines.push('No file names a server. Add one to mcp-profiler.config.json.')
      return {
        content: [{ type: 'text', text: [...lines, ...faults].join('\n') }],
        structuredContent: { targets: servers, faults },
      }
    },
  )

  server.registerTool(
    'list_mcp_sessions',
    {
      title: 'List measurements that were kept',
      description: 'Reports in .mcp-profiler, the latest first.',
      annotations,
      inputSchema: z.strictObject({
        target: target.optional(),
        limit: z.int().min(1).max(100).default(20).describe('At most so many.'),
      }),
    },
    async ({ target: name, limit }) => {
      const sessions = []
      for await (const { file, report } of keptReports(terminal.cwd)) {
        if (name !== undefined && report.target.name !== name) continue
        const { command, startedAt, target: of } = report
        sessions.push({ session: file, command, target: of.name, label: of.label, started_at: startedAt })
        if (sessions.length === limit) break
      }
      const lines = sessions.map(
        (each) =>
          `- ${each.session}: ${each.command} of ${each.target}${each.label === null ? '' : `, ${each.label}`}`,
      )
      return {
        content: [{ type: 'text', text: lines.join('\n') || 'Nothing was measured here yet.' }],
        structuredContent: { sessions },
      }
    },
  )

  const oneSession = z.strictObject({
    session: session.optional(),
    target: target.optional().describe('Left out session: the latest of this server.'),
  })
  const wantedReport = async ({ session: wanted, target: name }: z.output<typeof oneSession>) => {
    if (wanted !== undefined) return findReport(terminal.cwd, wanted, name)
    for await (const { report } of keptReports(terminal.cwd)) {
      if (name === undefined || report.target.name === name) return report
    }
    throw new UsageError('Nothing was measured here yet: profile_mcp_server does.')
  }

  server.registerTool(
    'get_mcp_metrics',
    {
      title: 'Show what a session measured',
      description:
        'Percentiles, throughput, errors, sizes, tokens and resources of one session, per operation, and what the rules find in it.',
      annotations,
      inputSchema: oneSession,
    },
    (input) =>
      answering(async () => {
        const report = await wantedReport(input)
        return {
          content: [{ type: 'text', text: reportMarkdown(report, diagnoseReport(report)) }],
          structuredContent: summaryOf(report),
        }
      }),
  )

  server.registerTool(
    'compare_mcp_sessions',
    {
      title: 'Compare two sessions',
      description:
        'What became faster or slower from baseline to current, how sure that is, and whether it is a regression.',
      annotations,
      inputSchema: z.strictObject({
        baseline: session,
        current: session,
        target: target.optional(),
        threshold: z.number().min(0).max(1).optional().describe('Smaller changes do not count: 0.1 is 10 %.'),
      }),
    },
    ({ baseline, current, target: mcp, threshold }, context) =>
      answering(() =>
        runner.run(
          () => Promise.resolve(['compare', ...optionsOf({ baseline, current, mcp, threshold })]),
          context,
        ),
      ),
  )
}
