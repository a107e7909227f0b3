import { z } from 'zod'

/** JSON of a report and what comes with it, unpacked. */
export const mcpReportBytesMax = 16 * 2 ** 20

/** What a measurement leaves behind. */
export const mcpReportFields = {
  report: z.record(z.string(), z.unknown()).describe('As mcp-profiler writes it with --json.'),
  result: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('What a command prints in place of a report: of capacity, a comparison, a proposal.'),
}
