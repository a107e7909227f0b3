import type { operations, OutputOf } from '@flamegate/contract'
import type { Alert, Benchmark, ProjectWithCounts, StoredThreshold } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

/** Benchmarks, thresholds and alerts in the words of the wire. */

type BenchmarkOnWire = OutputOf<typeof operations.updateBenchmark>['benchmark']
type ThresholdOnWire = OutputOf<typeof operations.listThresholds>['thresholds'][number]
type AlertOnWire = OutputOf<typeof operations.getBenchmarkHistory>['alerts'][number]
type AlertsOffOnWire = OutputOf<typeof operations.listThresholds>['alerts_off']

export function benchmarkOnWire(benchmark: Benchmark): BenchmarkOnWire {
  return {
    id: benchmark.id,
    project_id: benchmark.projectId,
    uri: benchmark.uri,
    name: benchmark.name,
    instrument: benchmark.instrument,
    metric: benchmark.metric,
    better_when: benchmark.betterWhen,
    state: benchmark.state,
    is_critical: benchmark.isCritical,
    threshold_percent: benchmark.thresholdPercent,
    noise_percent: benchmark.noisePercent,
    former_uris: benchmark.formerUris,
  }
}

export function thresholdOnWire(threshold: StoredThreshold): ThresholdOnWire {
  return {
    id: threshold.id,
    branch: threshold.branch,
    benchmark_id: threshold.benchmarkId,
    metric: threshold.metric,
    test: threshold.test,
    lower_bound: threshold.lowerBound,
    upper_bound: threshold.upperBound,
    window_runs: threshold.windowRuns,
    sample_min: threshold.sampleMin,
    is_default: false,
    updated_at: threshold.updatedAt.toISOString(),
  }
}

export function alertsOffOnWire({ alertsOffSince, alertsOffByEmail }: ProjectWithCounts): AlertsOffOnWire {
  return alertsOffSince === null ? null : { since: alertsOffSince.toISOString(), by: alertsOffByEmail }
}

export function alertOnWire(alert: Alert): AlertOnWire {
  return {
    id: alert.id,
    project_id: alert.projectId,
    kind: 'benchmark',
    state: alert.state,
    benchmark_id: alert.benchmarkId,
    uri: alert.uri,
    name: alert.name,
    metric: alert.metric,
    unit: alert.unit,
    branch: alert.branch,
    run_id: alert.runId,
    commit_hash: alert.commitHash,
    verdict: alert.verdict,
    baseline: alert.baseline,
    value: alert.value,
    limit: alert.crossedLimit,
    change_percent: alert.changePercent,
    test: alert.test,
    reason: alert.reason,
    detected_at: alert.createdAt.toISOString(),
    state_by: alert.stateBy,
    state_reason: alert.stateReason,
    state_at: isoOrNull(alert.stateAt),
    muted_until: alert.state === 'muted' ? isoOrNull(alert.mutedUntil) : null,
  }
}
