import { formatBytes, type AnswerOf, type operations } from '@flamegate/contract'

type Usage = AnswerOf<typeof operations.getUsage>

/** Something that the plan limits: how much of it is used. */
export interface UsedRow {
  what: string
  used: number
  /** null: not limited. */
  most: number | null
  inWords: (value: number) => string
}

const plain = (value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 2 })

/** What a workspace uses of its plan, in the order in which it is shown. */
export function usedRows({ usage, limits }: Usage): UsedRow[] {
  return [
    row('Uploads today', usage.uploads_today, limits.uploads_per_day, plain),
    row('Agent hours this month', usage.agent_hours_this_month, limits.agent_hours_per_month, plain),
    row('Storage', usage.storage_bytes, limits.storage_bytes, formatBytes),
    row('Load test results', usage.result_bytes, limits.result_bytes, formatBytes),
    row('Load test files', usage.result_file_bytes, limits.result_file_bytes, formatBytes),
    row('Live recordings', usage.live_recording_bytes, limits.live_recording_bytes, formatBytes),
    row('Reports on MCP servers', usage.mcp_report_bytes, limits.mcp_report_bytes, formatBytes),
  ]
}

function row(what: string, used: number, most: number | null, inWords: UsedRow['inWords']): UsedRow {
  return { what, used, most, inWords }
}
