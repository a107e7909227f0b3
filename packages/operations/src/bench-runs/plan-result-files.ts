import type { Reading } from '../implement.ts'
import {
  requestLogFormats,
  type BenchPlan,
  type BenchResult,
  type FileRecord,
  type JobQueue,
  type PlannedFile,
  type RequestLogFormat,
} from '../ports/index.ts'

const requestFiles: Record<RequestLogFormat, PlannedFile> = {
  jtl: { name: 'requests.jtl.gz', purpose: 'request_log', contentType: 'application/gzip', sizeBytes: 0 },
  parquet: {
    name: 'requests.parquet',
    purpose: 'request_log',
    contentType: 'application/vnd.apache.parquet',
    sizeBytes: 0,
  },
}

/** Of a file of requests; undefined for the others. */
export function formatOfFile({ name }: Pick<FileRecord, 'name'>): RequestLogFormat | undefined {
  return requestLogFormats.find((format) => requestFiles[format].name === name)
}

/** Announces the files of a run before it ends, so that whoever sees it ended sees them. False where it has none. */
export async function planResultFiles(
  { caller, deps: { stores } }: Reading,
  run: BenchResult,
  plan: BenchPlan | undefined,
): Promise<boolean> {
  const asked: unknown = plan?.scenario['result_files']
  const formats = requestLogFormats.filter((format) => Array.isArray(asked) && asked.includes(format))
  const logs = await stores.resultFiles.listLogs(caller, run.id, 0)
  const samples = await stores.benchRuns.listSampleIds(caller, run.id)
  const files = await stores.resultFiles.plan(caller, run, [
    ...(run.startedAt === null ? [] : formats.map((format) => requestFiles[format])),
    ...logs
      .filter(({ lineCount }) => lineCount > 0)
      .map(({ slot }): PlannedFile => ({
        name: `agent-${slot}.log`,
        purpose: 'agent_log',
        contentType: 'text/plain; charset=utf-8',
        sizeBytes: 0,
      })),
    ...(samples.length === 0
      ? []
      : [
          {
            name: 'failed-exchanges.har',
            purpose: 'failed_exchanges' as const,
            contentType: 'application/json',
            sizeBytes: 0,
          },
        ]),
  ])
  return files.length > 0
}

/** Once for each run, however often it is asked for while the job waits. */
export function queueResultFiles(
  queue: JobQueue,
  { workspaceId, benchResultId }: { workspaceId: string; benchResultId: string },
): Promise<void> {
  const requestId = `files_of_${benchResultId}`
  return queue.add('make_result_files', { taskId: benchResultId, workspaceId, requestId })
}
