import type { operations, OutputOf } from '@flamegate/contract'
import type {
  ApiToken,
  PresignedRequest,
  Profile,
  Project,
  ProjectWithCounts,
  ResultStats,
  Run,
} from './ports/index.ts'

/** Records in the words of the wire: snake_case, times as ISO 8601. */

type ProjectOnWire = OutputOf<typeof operations.getProject>['project']
type RunOnWire = OutputOf<typeof operations.getRun>['run']
type StatsOnWire = OutputOf<typeof operations.getBenchmarkResult>['result']['stats']
type ProfileOnWire = OutputOf<typeof operations.getProfile>['profile']
type TokenOnWire = OutputOf<typeof operations.createApiToken>['api_token']
type UploadOnWire = OutputOf<typeof operations.createRunUpload>['upload']

export function projectOnWire(project: Project | ProjectWithCounts): ProjectOnWire {
  return {
    id: project.id,
    workspace_id: project.workspaceId,
    slug: project.slug,
    name: project.name,
    description: project.description,
    tags: project.tags,
    repository: project.repository,
    default_branch: project.defaultBranch,
    baseline_run_id: project.baselineRunId,
    keyless_uploads: project.keylessUploadsBy !== null,
    alerts_off_since: isoOrNull(project.alertsOffSince),
    origin_rules: project.originRules,
    forge: project.forge,
    forge_url: project.forgeUrl,
    version: project.version,
    run_count: 'runCount' in project ? project.runCount : 0,
    benchmark_count: 'benchmarkCount' in project ? project.benchmarkCount : 0,
    profile_count: 'profileCount' in project ? project.profileCount : 0,
    created_at: project.createdAt.toISOString(),
    updated_at: project.updatedAt.toISOString(),
  }
}

export function runOnWire(run: Run): RunOnWire {
  return {
    id: run.id,
    project_id: run.projectId,
    branch: run.branch,
    commit_hash: run.commitHash,
    commit_message: run.commitMessage,
    pull_request: run.pullRequest,
    base_branch: run.baseBranch,
    base_commit_hash: run.baseCommitHash,
    measurement_id: run.measurementId,
    event: run.event,
    status: run.status,
    adapter: run.adapter,
    tags: run.tags,
    result_count: run.resultCount,
    warnings: run.warnings,
    environment: run.environment,
    committed_at: isoOrNull(run.committedAt),
    created_at: run.createdAt.toISOString(),
  }
}

export function statsOnWire(stats: ResultStats): StatsOnWire {
  return {
    statistic: stats.statistic,
    min: stats.min,
    q1: stats.q1,
    median: stats.median,
    mean: stats.mean,
    q3: stats.q3,
    max: stats.max,
    stdev: stats.stdev,
    low: stats.low,
    high: stats.high,
    rounds: stats.rounds,
    iterations_per_round: stats.iterationsPerRound,
    warmup_iterations: stats.warmupIterations,
    outlier_rounds: stats.outlierRounds,
    total_time_ms: stats.totalTimeMs,
  }
}

export function profileOnWire(profile: Profile): ProfileOnWire {
  return {
    id: profile.id,
    project_id: profile.projectId,
    run_id: profile.runId,
    benchmark_id: profile.benchmarkId,
    name: profile.name,
    type: profile.type,
    format: profile.format,
    status: profile.status,
    sample_types: profile.sampleTypes,
    default_sample_type: profile.sampleTypes[profile.defaultSampleTypeIndex]?.type ?? null,
    duration_ms: profile.durationMs,
    started_at: isoOrNull(profile.startedAt),
    sample_count: profile.sampleCount,
    node_count: profile.nodeCount,
    labels: profile.labels,
    tags: profile.tags,
    service: profile.service,
    expires_at: isoOrNull(profile.expiresAt),
    warnings: profile.warnings,
    problem: profile.problem,
    file_id: profile.fileId,
    created_at: profile.createdAt.toISOString(),
  }
}

export function apiTokenOnWire(token: ApiToken): TokenOnWire {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    scopes: token.scopes,
    created_at: token.createdAt.toISOString(),
    expires_at: isoOrNull(token.expiresAt),
    last_used_at: isoOrNull(token.lastUsedAt),
    revoked_at: isoOrNull(token.revokedAt),
  }
}

/** A presigned request with the curl line that makes it; the file name is quoted for a POSIX shell. */
export function presignedOnWire(request: PresignedRequest, fileName: string): UploadOnWire {
  const quotedName = shellQuote(fileName)
  const headers = Object.entries(request.headers).map(
    ([name, value]) => `-H ${shellQuote(`${name}: ${value}`)} `,
  )
  const curl =
    request.method === 'PUT'
      ? `curl --fail -X PUT ${headers.join('')}--data-binary @${quotedName} ${shellQuote(request.url)}`
      : `curl --fail -o ${quotedName} ${headers.join('')}${shellQuote(request.url)}`
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    expires_at: request.expiresAt,
    curl,
  }
}

export function isoOrNull(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
