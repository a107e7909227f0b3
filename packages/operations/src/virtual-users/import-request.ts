import type { InputOf, operations } from '@flamegate/contract'
import type { ImportOptions } from '@flamegate/loadtest'
import { z } from 'zod'

/** What the task of an import remembers until it is done. */
const requestSchema = z.object({
  format: z.string(),
  client_name: z.string(),
  name: z.string().optional(),
  think_time_max_ms: z.number(),
  container_gap_ms: z.number(),
  timeline: z.array(z.string()),
  resources: z.enum(['embedded', 'requests', 'dropped']),
  browser: z.enum(['page', 'http']),
  base_url: z.string().optional(),
})
export type ImportRequest = z.infer<typeof requestSchema>

export function importRequestOf(
  input: InputOf<typeof operations.importVirtualUser>,
  clientName: string,
): ImportRequest {
  return requestSchema.parse({ ...input, client_name: clientName })
}

export function readImportRequest(value: unknown): ImportRequest {
  return requestSchema.parse(value)
}

export function optionsOf(request: ImportRequest): ImportOptions {
  return {
    name: request.name,
    thinkTimes: request.think_time_max_ms === 0 ? 'none' : 'recorded',
    thinkTimeMaxMs: request.think_time_max_ms,
    containerGapMs: request.container_gap_ms,
    timeline: request.timeline.map((entry) => {
      const space = entry.indexOf(' ')
      return { at: entry.slice(0, space), name: entry.slice(space + 1) }
    }),
    resources: request.resources,
    browser: request.browser,
    baseUrl: request.base_url,
  }
}
