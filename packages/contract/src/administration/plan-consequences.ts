import { z } from 'zod'
import { table } from '../markdown.ts'

/** Limits of a plan that a workspace can be over already, because what it uses adds up. */
export const usedLimits = [
  'storage_bytes',
  'result_bytes',
  'result_file_bytes',
  'live_recording_bytes',
  'mcp_report_bytes',
  'uploads_per_day',
  'agent_hours_per_month',
] as const

/** What limits mean for workspaces that are to go by them: fields of an answer. */
export const planConsequences = {
  exceeded: z
    .array(
      z.object({
        limit: z.enum(usedLimits),
        most: z.number().describe('What the installation makes of that limit.'),
        workspace_count: z.number().int().describe('How many use more; they can add no more of it.'),
        most_used: z.number().describe('By the one that uses most.'),
      }),
    )
    .describe('Limits below what workspaces use now.'),
  removed: z
    .array(
      z.object({
        kind: z.enum(['runs', 'profiles', 'bench_results', 'live_recordings', 'mcp_sessions']),
        count: z.number().int(),
        workspace_count: z.number().int(),
      }),
    )
    .describe('What is older than it would be kept: it goes within an hour.'),
  dry_run: z.boolean(),
}

/** What `dry_run` is, of an operation that gives workspaces other limits. */
export const dryRun = z
  .boolean()
  .default(false)
  .describe('Change nothing, and tell what it would mean for workspaces.')

export const noConsequences = { exceeded: [], removed: [], dry_run: false }

type Consequences = z.output<z.ZodObject<typeof planConsequences>>

/** The same in markdown, below what was done. */
export function consequencesMarkdown({ exceeded, removed, dry_run }: Consequences): string {
  const rows = [
    ...exceeded.map((each) => [`${each.limit} over ${each.most}`, each.workspace_count, each.most_used]),
    ...removed.map(({ kind, count, workspace_count }) => [`too old: ${kind}`, workspace_count, count]),
  ]
  const nothing = 'No workspace uses more, or keeps anything older.'
  const told = table(
    ['What', { title: 'Workspaces', right: true }, { title: 'Most', right: true }],
    rows,
    nothing,
  )
  return `${dry_run ? '\n\nNothing was changed.' : ''}\n\n${told}`
}
