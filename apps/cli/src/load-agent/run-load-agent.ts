import { cpus, totalmem } from 'node:os'
import { ApiProblem, ApiUnreachable, type Client } from '@flamegate/client'
import { awaitShard } from '@flamegate/contract/bench-runs/await-shard'
import { connectLoadGenerator } from '@flamegate/contract/bench-runs/connect-load-generator'
import { disconnectLoadGenerator } from '@flamegate/contract/bench-runs/disconnect-load-generator'
import { untilOver } from '../capture/until-over.ts'
import { makeShard } from './make-shard.ts'
import type { InstalledEngine } from './other-engines/installed-engines.ts'

const longestPauseSeconds = 60
const connectEveryMs = 300_000
/** For how long one that makes a single part waits for it. */
const onceWithinMs = 60_000
/** The platform may be away, and nobody waits for an agent that ends. */
const goodbyeMs = 10_000

/** What a load agent works with. */
export interface LoadAgentContext {
  /** Each of its calls is tried once. */
  client: Client
  /** Its calls are made again where that can help. */
  patient: Client
  workspaceId: string
  name: string
  agentGroup: string
  version: string
  /** That make load, at most. */
  threads: number
  /** Users that get a browser, at most; 0: none. */
  browserUsersMax: number
  /** Engines that others made, on this machine. */
  engines: readonly InstalledEngine[]
  /** Ends after one part of a run, or when there is none for a minute: for those that are started by demand. */
  isOnce: boolean
  /** Ends it, after what it makes has been told. */
  interruption: AbortSignal
  log: (text: string) => void
}

/** Says that it is there, waits for a part of a run, makes it, and so on, until it is interrupted, and says then that it is not. */
export async function runLoadAgent(context: LoadAgentContext): Promise<void> {
  const { client, interruption, name, agentGroup, isOnce, log } = context
  const beganMs = Date.now()
  let failures = 0
  let connection: { id: string; atMs: number } | undefined
  for (const { type, program, version, isAllowed } of context.engines)
    log(
      isAllowed
        ? `runs scripts of ${type} ${version} (${program})`
        : `found ${program}; --allow-engine ${type} would let others run scripts of it here`,
    )
  while (!interruption.aborted) {
    try {
      if (connection === undefined || Date.now() - connection.atMs > connectEveryMs) {
        const id = await connect(context)
        if (connection === undefined) log(`connected as ${name}, group ${agentGroup}`)
        connection = { id, atMs: Date.now() }
      }
      const { shard } = await client.call(
        awaitShard,
        { load_generator_id: connection.id },
        { signal: interruption },
      )
      failures = 0
      if (shard === null) {
        if (isOnce && Date.now() - beganMs > onceWithinMs) break
        continue
      }
      log(`${shard.bench_result_id}: gets ready for ${shard.name}`)
      await makeShard(context, { shardId: shard.shard_id, loadGeneratorId: connection.id })
      if (isOnce) break
    } catch (error) {
      if (interruption.aborted) break
      if (!(error instanceof Error) || !isPassing(error)) throw error
      failures += 1
      const seconds = Math.min(longestPauseSeconds, 2 ** failures)
      log(`no connection (${error.message}); trying again in ${seconds} s`)
      connection = undefined
      await untilOver(seconds, interruption)
    }
  }
  if (connection !== undefined) await sayGoodbye(client, connection.id)
  log('stopped')
}

/** So that nobody takes it for being there; it is found out without that, too. */
async function sayGoodbye(client: Client, id: string): Promise<void> {
  await client
    .call(disconnectLoadGenerator, { load_generator_id: id }, { signal: AbortSignal.timeout(goodbyeMs) })
    .catch(() => {})
}

async function connect({
  client,
  workspaceId,
  name,
  agentGroup,
  version,
  browserUsersMax,
  engines,
}: LoadAgentContext): Promise<string> {
  const { load_generator_id: id } = await client.call(connectLoadGenerator, {
    workspace_id: workspaceId,
    name,
    agent_group: agentGroup,
    version,
    cores: Math.max(1, cpus().length),
    memory_bytes: totalmem(),
    browser_users_max: browserUsersMax,
    engines: engines.map((engine) => ({
      type: engine.type,
      version: engine.version,
      is_allowed: engine.isAllowed,
    })),
  })
  return id
}

/** A token that is no good, or a workspace that is gone, will not come back. */
function isPassing(error: Error): boolean {
  if (error instanceof ApiUnreachable) return true
  if (!(error instanceof ApiProblem)) return false
  // A run that was deleted takes its shards with it; an agent that was forgotten makes itself known again.
  const isGone = error.code === 'load_generator_not_found' || error.code === 'bench_shard_not_found'
  return error.status === 429 || error.status >= 500 || isGone
}
