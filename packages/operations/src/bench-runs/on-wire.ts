import type { BenchResultShape, LoadGeneratorShape, operations, OutputOf } from '@flamegate/contract'
import type { BenchResult, BenchShard, LoadGenerator } from '../ports/index.ts'
import { rounded } from './rounded.ts'
import type { JudgedThreshold } from './thresholds.ts'

/** An agent asks for work every few seconds. */
const onlineMs = 30_000

export function isOnline(
  {
    lastSeenAt,
    hasLeft = false,
  }: Pick<LoadGenerator, 'lastSeenAt'> & Partial<Pick<LoadGenerator, 'hasLeft'>>,
  now = Date.now(),
): boolean {
  return !hasLeft && now - lastSeenAt.getTime() < onlineMs
}

export function benchResultOnWire(run: BenchResult, now = Date.now()): BenchResultShape {
  return {
    id: run.id,
    project_id: run.projectId,
    scenario_id: run.scenarioId,
    scenario_version: run.scenarioVersion,
    name: run.name,
    state: run.state,
    message: run.message,
    is_degraded: run.isDegraded,
    progress: progressOf(run, now),
    duration_ms: run.durationMs,
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    ended_at: run.endedAt?.toISOString() ?? null,
    task_id: run.taskId,
    bench_report_id: run.benchReportId,
    imported_from: run.importedFrom,
    tags: run.tags,
    is_baseline: run.isBaseline,
  }
}

function progressOf({ state, startedAt, endedAt, durationMs }: BenchResult, now: number): number {
  if (state === 'FINISHED') return 1
  if (startedAt === null) return 0
  const passedMs = (endedAt?.getTime() ?? now) - startedAt.getTime()
  return Math.min(1, Math.max(0, durationMs === 0 ? 0 : passedMs / durationMs))
}

export function thresholdOnWire({
  text,
  state,
  value,
}: JudgedThreshold): OutputOf<typeof operations.getBenchResult>['thresholds'][number] {
  return { text, state, value: value === null ? null : rounded(value) }
}

export function shardOnWire(shard: BenchShard): OutputOf<typeof operations.getBenchResult>['shards'][number] {
  return {
    slot: shard.slot,
    agent_group: shard.agentGroup,
    load_generator_id: shard.loadGeneratorId,
    state: shard.state,
    message: shard.message,
    last_seen_at: shard.lastSeenAt?.toISOString() ?? null,
  }
}

/** Users that an agent can give a browser at once; 0 where it has none, or did not say. */
export function browserUsersMaxOf({ facts }: Pick<LoadGenerator, 'facts'>): number {
  return Number(facts['browser_users_max'] ?? 0)
}

export function loadGeneratorOnWire(generator: LoadGenerator): LoadGeneratorShape {
  return {
    id: generator.id,
    name: generator.name,
    agent_group: generator.agentGroup,
    version: generator.version,
    cores: generator.cores,
    is_online: isOnline(generator),
    bench_result_id: generator.benchResultId,
    browser_users_max: browserUsersMaxOf(generator),
    engines: generator.engines,
    last_seen_at: generator.lastSeenAt.toISOString(),
  }
}
