import { nothing, sql, type Sql } from '../sql.ts'

/** The run that results belong to. */
export interface ResultRun {
  workspaceId: string
  projectId: string
  runId: string
  createdAt: Date
  /** 0 before its first file: then nothing can be there already. */
  resultCount: number
}

/** A result as its row has it. */
export interface ResultRow {
  benchmarkId: string
  value: number
  unit: string
  /** JSON. */
  stats: string
  /** JSON. */
  metrics: string
  rounds: Buffer | null
  /** An array in PostgreSQL's words, such as `{1.5,NULL}`. */
  processValues: string
}

/** A later file of a run goes before an earlier one. */
export const laterCounts = ({ resultCount }: ResultRun): Sql =>
  resultCount === 0
    ? nothing
    : sql`ON CONFLICT (workspace_id, run_id, benchmark_id) DO UPDATE SET value = excluded.value,
  unit = excluded.unit, stats = excluded.stats, metrics = excluded.metrics, rounds = excluded.rounds,
  process_values = excluded.process_values`
