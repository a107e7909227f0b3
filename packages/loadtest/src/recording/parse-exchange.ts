import { z } from 'zod'
import type { Exchange } from './exchange.ts'

const headers = z.array(z.object({ name: z.string(), value: z.string() }))
const phase = z.number().nullable()
const body = z
  .object({
    contentType: z.string().nullable(),
    sizeBytes: z.number(),
    transferredBytes: z.number().nullable(),
    content: z.string().nullable(),
    encoding: z.enum(['text', 'base64']),
    isCut: z.boolean(),
  })
  .nullable()

const exchange: z.ZodType<Exchange> = z.object({
  startedAt: z.string(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    httpVersion: z.string().nullable(),
    headers,
    body,
  }),
  response: z
    .object({
      status: z.number(),
      statusText: z.string(),
      httpVersion: z.string().nullable(),
      headers,
      body,
    })
    .nullable(),
  error: z.string().nullable(),
  timings: z.object({
    blockedMs: phase,
    dnsMs: phase,
    connectMs: phase,
    tlsMs: phase,
    sendMs: phase,
    firstByteMs: phase,
    downloadMs: phase,
    totalMs: z.number(),
  }),
  remoteAddress: z.string().nullable(),
})

/** An exchange that somebody else sent as JSON; undefined for what is none. */
export function parseExchange(value: unknown): Exchange | undefined {
  return exchange.safeParse(value).data
}
