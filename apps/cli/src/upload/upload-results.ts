import { createRunUpload } from '@flamegate/contract/benchmarks/create-run-upload'
import { submitBenchmarkResults } from '@flamegate/contract/benchmarks/submit-benchmark-results'
import { uploadLimits } from '@flamegate/contract/upload-shapes'
import { z } from 'zod'
import { parseInput } from '../arguments/field-values.ts'
import { uploadKey } from './idempotency-key.ts'
import { uploadContent, type UploadContext } from './upload-content.ts'
import type { UploadFile } from './upload-file.ts'

/** What the results belong to: the fields of a new run, as they were given. Their schema reads them here. */
export type NewRun = Readonly<Record<string, unknown>>

/** A run that was recorded, in the words of the wire. */
export interface UploadedRun {
  kind: 'results'
  file: string
  run_id: string
  project_id: string
  /** null when nobody waited until it was read. */
  result_count: number | null
  adapter: string | null
  warnings: string[]
  /** Of the task that reads it; null when it was read at once. */
  task_id: string | null
  url: string
}

/** What the task of an import says at its end; only what is printed. */
const importedResults = z.object({
  result_count: z.number(),
  adapter: z.string(),
  warnings: z.array(z.string()),
})

/** Records a run: inline when the file is small text, else by a presigned upload that is then waited for. */
export async function uploadResults(
  context: UploadContext,
  file: UploadFile,
  run: NewRun,
): Promise<UploadedRun> {
  // What was measured in turns with something else cannot say so inline.
  const mayBeInline = file.sizeBytes <= uploadLimits.inlineBytes && run['measurement_id'] === undefined
  const results = mayBeInline ? utf8(await file.read()) : undefined
  return results === undefined ? uploadLarge(context, file, run) : submit(context, file, run, results)
}

async function submit(
  { client, job }: UploadContext,
  file: UploadFile,
  run: NewRun,
  results: string,
): Promise<UploadedRun> {
  const operation = submitBenchmarkResults
  const input = parseInput(operation, { ...run, results })
  const answer = await client.call(operation, input, {
    idempotencyKey: await uploadKey(operation.id, input, file, job),
  })
  return {
    kind: 'results',
    file: file.name,
    run_id: answer.run.id,
    project_id: answer.run.project_id,
    result_count: answer.run.result_count,
    adapter: answer.run.adapter,
    warnings: answer.run.warnings,
    task_id: null,
    url: answer.url,
  }
}

async function uploadLarge(context: UploadContext, file: UploadFile, run: NewRun): Promise<UploadedRun> {
  const operation = createRunUpload
  const input = parseInput(operation, { ...run, file_name: file.name, size_bytes: file.sizeBytes })
  const key = await uploadKey(operation.id, input, file, context.job)
  const { announced, result } = await uploadContent(context, file, key, (idempotencyKey) =>
    context.client.call(operation, input, idempotencyKey === undefined ? {} : { idempotencyKey }),
  )
  return {
    kind: 'results',
    file: file.name,
    run_id: announced.run_id,
    project_id: announced.project_id,
    ...(result === undefined
      ? { result_count: null, adapter: null, warnings: [] }
      : importedResults.parse(result)),
    task_id: announced.task_id,
    url: announced.url,
  }
}

/** Undefined for what is not UTF-8: it goes as bytes, and the API says where it is wrong. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
