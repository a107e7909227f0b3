import type { Client } from '@flamegate/client'
import { operations, uploadLimits } from '@flamegate/contract'
import { z } from 'zod'
import { parseInput } from '../arguments/field-values.ts'
import type { Progress } from './progress.ts'
import { sendPresigned } from './send-presigned.ts'
import type { UploadFile } from './upload-file.ts'
import { waitForTask } from './wait-for-task.ts'

/** What the results belong to: the fields of a new run, as they were given. Their schema reads them here. */
export type NewRun = Readonly<Record<string, unknown>>

/** A run that was recorded, in the words of the wire. */
export interface UploadedRun {
  kind: 'results'
  file: string
  run_id: string
  project_id: string
  result_count: number
  adapter: string
  warnings: string[]
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
  client: Client,
  file: UploadFile,
  run: NewRun,
  progress: Progress,
): Promise<UploadedRun> {
  const results = file.sizeBytes <= uploadLimits.inlineBytes ? utf8(await file.read()) : undefined
  return results === undefined ? uploadLarge(client, file, run, progress) : submit(client, file, run, results)
}

async function submit(client: Client, file: UploadFile, run: NewRun, results: string): Promise<UploadedRun> {
  const input = parseInput(operations.submitBenchmarkResults, { ...run, results })
  const answer = await client.call(operations.submitBenchmarkResults, input)
  return {
    kind: 'results',
    file: file.name,
    run_id: answer.run.id,
    project_id: answer.run.project_id,
    result_count: answer.run.result_count,
    adapter: answer.run.adapter ?? 'unknown',
    warnings: answer.run.warnings,
    url: answer.url,
  }
}

async function uploadLarge(
  client: Client,
  file: UploadFile,
  run: NewRun,
  progress: Progress,
): Promise<UploadedRun> {
  const input = parseInput(operations.createRunUpload, {
    ...run,
    file_name: file.name,
    size_bytes: file.sizeBytes,
  })
  const created = await client.call(operations.createRunUpload, input)
  await sendPresigned(file, created.upload, (sentBytes) => progress.sent(sentBytes, file.sizeBytes))
  const imported = importedResults.parse(await waitForTask(client, created.task_id, progress))
  return {
    kind: 'results',
    file: file.name,
    run_id: created.run_id,
    project_id: created.project_id,
    ...imported,
    url: created.url,
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
