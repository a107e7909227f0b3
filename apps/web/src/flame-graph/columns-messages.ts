import type { FlameColumns } from './flame-tree.ts'
import type { Layout } from './lay-out.ts'

/** What the page asks the worker for: a path below this origin. */
export interface ColumnsOrder {
  target: string
}

/** What the worker tells, in this order; after a problem or a failure nothing more comes. */
export type ColumnsMessage =
  | { kind: 'progress'; loadedBytes: number; wholeBytes: number | undefined }
  | { kind: 'refused'; status: number; retryAfter: string | null; body: string }
  | { kind: 'failed'; message: string }
  /** Some functions at a time, so that the page is never long busy with taking them. */
  | { kind: 'functions'; functions: FlameColumns['functions'] }
  | { kind: 'tree'; layout: Layout; sampleType: string; unit: string; note: string | null }
