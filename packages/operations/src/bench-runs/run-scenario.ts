import { newId, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getScenario } from '../scenarios/reaching.ts'
import { endRun } from './end-run.ts'
import { benchResultOnWire } from './on-wire.ts'
import { startRun } from './start-run.ts'

export const runScenario = implement(operations.runScenario)(async (input, context) => {
  const object = await getScenario(context, input.scenario_id)
  const benchResultId = newId('benchResult')
  try {
    const wanted = {
      name: input.name,
      agents: input.agents,
      agentsMax: input.agents_max,
      resultFiles: input.result_files,
      agentWaitMs: input.wait_seconds * 1000,
      benchResultId,
    }
    const run = await startRun(context, object, wanted)
    return { bench_result: benchResultOnWire(run), task_id: run.taskId, next_poll_seconds: 3 }
  } catch (error) {
    // What was begun and will not go on is nothing to wait for.
    await endRun(context, benchResultId, 'It could not be queued. Try it again later.').catch(() => undefined)
    throw error
  }
})
