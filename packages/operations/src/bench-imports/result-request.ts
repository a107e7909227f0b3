import type { InputOf, operations } from '@flamegate/contract'
import { z } from 'zod'

/** What the task of an import remembers until it is done: the ids among it, so that what comes twice is stored once. */
const requestSchema = z.object({
  bench_result_id: z.string(),
  bench_report_id: z.string(),
  client_name: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
})
export type ResultRequest = z.infer<typeof requestSchema>

/** Longest name of a run, in characters. */
const nameMax = 80

export function resultRequestOf(
  { name, file_name, tags }: InputOf<typeof operations.importJtlReport>,
  ids: { benchResultId: string; benchReportId: string; clientName: string },
): ResultRequest {
  return {
    bench_result_id: ids.benchResultId,
    bench_report_id: ids.benchReportId,
    client_name: ids.clientName,
    name: name ?? withoutEnding(file_name).slice(0, nameMax),
    tags,
  }
}

export function readResultRequest(value: unknown): ResultRequest {
  return requestSchema.parse(value)
}

/** `checkout.jtl.gz` is of `checkout`. */
function withoutEnding(fileName: string): string {
  return fileName.replace(/(?:\.[A-Za-z0-9]{1,5}){1,2}$/, '') || fileName
}
