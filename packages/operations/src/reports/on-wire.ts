import type { operations, OutputOf } from '@flamegate/contract'
import type { BenchResult, DesignEntry } from '../ports/index.ts'
import { readSummary, readTemplateSummary } from './summary.ts'

type ReportOnWire = OutputOf<typeof operations.getBenchReport>['bench_report']
type RunOnWire = NonNullable<OutputOf<typeof operations.getBenchReport>['runs'][number]>
type TemplateOnWire = OutputOf<typeof operations.saveReportTemplate>['template']

export function reportOnWire(entry: DesignEntry): ReportOnWire {
  return {
    id: entry.id,
    project_id: entry.projectId,
    name: entry.name,
    ...readSummary(entry.summary),
    version: entry.version,
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
  }
}

export function reportRunOnWire({ id, name, state, isDegraded, startedAt }: BenchResult): RunOnWire {
  return { id, name, state, is_degraded: isDegraded, started_at: startedAt?.toISOString() ?? null }
}

export function templateOnWire(entry: DesignEntry): TemplateOnWire {
  return {
    id: entry.id,
    project_id: entry.projectId,
    name: entry.name,
    ...readTemplateSummary(entry.summary),
    created_at: entry.createdAt.toISOString(),
  }
}
