import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getBenchRun } from './reaching.ts'

const linesMax = 100

export const getAgentLogs = implement(operations.getAgentLogs)(async (input, context) => {
  const run = await getBenchRun(context, input.bench_result_id)
  const logs = await context.deps.stores.resultFiles.listLogs(context.caller, run.id, linesMax)
  return {
    project_id: run.projectId,
    bench_result_id: run.id,
    logs: logs
      .filter(({ lineCount }) => lineCount > 0)
      .map(({ slot, lines, lineCount }) => ({ slot, lines, line_count: lineCount })),
  }
})
