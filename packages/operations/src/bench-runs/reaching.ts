import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { BenchResult, BenchShard, LoadGenerator } from '../ports/index.ts'
import { reach } from '../targets.ts'

export async function getBenchRun(context: CallContext, id: string): Promise<BenchResult> {
  const run = await context.deps.stores.benchRuns.find(context.caller, id)
  if (run === undefined) {
    throw new Problem('bench_result_not_found', 'No such bench result in your workspaces.', {
      hint: [operations.listScenarios, 'shows scenarios with their last runs'],
    })
  }
  await reach(context, run.workspaceId, run.id)
  return run
}

export async function getShard(context: CallContext, id: string): Promise<BenchShard> {
  const shard = await context.deps.stores.benchRuns.findShard(context.caller, id)
  if (shard === undefined) {
    throw new Problem('bench_shard_not_found', 'No such shard in the workspaces of this token.')
  }
  await reach(context, shard.workspaceId, shard.id)
  return shard
}

export async function getLoadGenerator(context: CallContext, id: string): Promise<LoadGenerator> {
  const generator = await context.deps.stores.loadGenerators.find(context.caller, id)
  if (generator === undefined) {
    throw new Problem('load_generator_not_found', 'No such load generator in the workspaces of this token.')
  }
  await reach(context, generator.workspaceId, generator.id)
  return generator
}
