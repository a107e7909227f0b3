import { operations, Problem } from '@flamegate/contract'
import { filesOf, parseDocument, scenario as scenarioSchema } from '@flamegate/loadtest'
import { openSecrets } from '../design/secrets.ts'
import { implement, type CallContext } from '../implement.ts'
import type { BenchPlan, BenchShard } from '../ports/index.ts'
import { otherEnginesOf } from './other-engines-of.ts'
import { getShard } from './reaching.ts'
import { seedOf } from './seed-of.ts'

const filesExpireInS = 3600

export const getShardPlan = implement(operations.getShardPlan)(async (input, context) => {
  const { caller, deps } = context
  const shard = await getShard(context, input.shard_id)
  const plan = await deps.stores.benchRuns.findPlan(caller, shard.benchResultId)
  if (plan === undefined) throw new Problem('bench_shard_not_found', 'The run of this shard is gone.')
  const secrets = await openSecrets(context, shard.projectId)
  const needed = new Set(plan.variables.map((variable) => variable['name']))
  const targets = await deps.stores.targets.list(caller, shard.projectId)
  return {
    project_id: shard.projectId,
    bench_result_id: shard.benchResultId,
    agent_group: shard.agentGroup,
    slot: shard.slot,
    seed: seedOf(shard.benchResultId),
    scenario: plan.scenario,
    virtual_users: plan.virtual_users.map(({ id, document }) => ({ id, document })),
    servers: plan.servers,
    variables: plan.variables,
    secrets: Object.fromEntries([...secrets].filter(([name]) => needed.has(name))),
    actions: plan.actions,
    files: await linksOf(plan, shard, context),
    hosts: targets.filter(({ method }) => method !== null).map(({ host }) => host),
    allowed_targets: [...deps.targets.allowed],
  }
})

/** Addresses of the project files that the virtual users and variables name, and of the scripts of other engines. */
async function linksOf(plan: BenchPlan, shard: BenchShard, { caller, deps }: CallContext) {
  const { projectId } = shard
  const variables = plan.variables.map((document) => parseDocument('variable', document))
  const paths = new Set([
    ...plan.virtual_users.flatMap(({ document }) => [
      ...filesOf(parseDocument('virtual_user', document), variables),
    ]),
    ...otherEnginesOf(scenarioSchema.parse(plan.scenario), shard.agentGroup).flatMap(({ path, files }) => [
      path,
      ...files,
    ]),
  ])
  const files: { path: string; url: string }[] = []
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- a few
    const file = await deps.stores.projectFiles.find(caller, projectId, path)
    if (file === undefined) continue
    // oxlint-disable-next-line no-await-in-loop -- a few
    const { url } = await deps.storage.presignDownload(file.storageKey, {
      fileName: path.split('/').at(-1) ?? path,
      contentType: 'application/octet-stream',
      expiresInS: filesExpireInS,
    })
    files.push({ path, url })
  }
  return files
}
