import { operations, Problem } from '@flamegate/contract'
import { csvLine } from '../csv.ts'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'

const columns = ['day', 'calls', 'uploads', 'upload_bytes', 'agent_seconds', 'storage_bytes'] as const
const usualDays = 30
const daysMax = 366
const dayMs = 86_400_000

export const exportUsage = implement(operations.exportUsage)(async (input, context) => {
  const until = input.until ?? dayOf(Date.now())
  const from = input.from ?? dayOf(Date.parse(until) - usualDays * dayMs)
  if (from > until) throw wrongRange(`It is after the last day, ${until}.`)
  if (Date.parse(until) - Date.parse(from) >= daysMax * dayMs) throw wrongRange('Ask for a year at most.')
  const workspace = await getWorkspace(context, input.workspace_id)
  const found = await context.deps.stores.usage.listDays(context.caller, workspace.id, { from, to: until })
  const days = found.map((each) => ({
    day: each.day,
    calls: each.calls,
    uploads: each.uploads,
    upload_bytes: each.uploadBytes,
    agent_seconds: each.agentSeconds,
    storage_bytes: each.storageBytes,
  }))
  const lines = [columns, ...days.map((each) => columns.map((name) => each[name]))]
  return { workspace_id: workspace.id, from, until, days, csv: lines.map(csvLine).join('') }
})

function wrongRange(message: string): Problem {
  return new Problem('invalid_input', 'These are not days that could be told.', {
    errors: [{ field: 'from', message }],
  })
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
