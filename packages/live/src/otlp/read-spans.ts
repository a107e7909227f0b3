import { z } from 'zod'
import { attributes, parsed, resource, type Attributes } from './shapes.ts'

/** Nanoseconds since 1970: a text in JSON, because no number holds them; some exporters send one all the same. */
const time = z
  .union([z.string().regex(/^\d{1,20}$/), z.number().min(0)])
  .default(0)
  .transform((value) => BigInt(typeof value === 'number' ? Math.round(value) : value))

const kindWords = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
/** Numbers in OTLP/JSON, words in JSON of protocol buffers. */
const kind = z
  .union([z.number(), z.string()])
  .default(0)
  .transform((value) =>
    typeof value === 'number'
      ? (kindWords[value] ?? 'unspecified')
      : (kindWords.find((word) => value === `SPAN_KIND_${word.toUpperCase()}`) ?? 'unspecified'),
  )
const status = z
  .object({
    message: z.string().default(''),
    code: z
      .union([z.number(), z.string()])
      .default(0)
      .transform((value) => value === 2 || value === 'STATUS_CODE_ERROR'),
  })
  .default({ message: '', code: false })

const request = z.object({
  resourceSpans: z
    .array(
      z.object({
        resource,
        scopeSpans: z
          .array(
            z.object({
              spans: z
                .array(
                  z.object({
                    traceId: z.string().max(64).default(''),
                    spanId: z.string().max(64).default(''),
                    name: z.string().default(''),
                    kind,
                    startTimeUnixNano: time,
                    endTimeUnixNano: time,
                    attributes,
                    events: z.array(z.object({ name: z.string().default(''), attributes })).default([]),
                    status,
                  }),
                )
                .default([]),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
})

/** Work that has ended. */
export interface OtlpSpan {
  traceId: string
  /** Among the spans of its trace. */
  spanId: string
  name: string
  kind: (typeof kindWords)[number]
  durationNs: number
  /** Milliseconds since 1970 by the clock of the program, with a fraction. */
  endedAtMs: number
  isError: boolean
  /** What was said of the error, if anything. */
  errorText: string
  attributes: Attributes
}

/** An ExportTraceServiceRequest as OTLP/JSON has it, by resource. @throws OtlpError */
export function readSpans(content: unknown): { resource: Attributes; spans: OtlpSpan[] }[] {
  const { resourceSpans } = parsed(request, content, 'ExportTraceServiceRequest')
  return resourceSpans.map(({ resource: of, scopeSpans }) => ({
    resource: of,
    spans: scopeSpans.flatMap(({ spans }) => spans).map(spanOf),
  }))
}

type SentSpan = z.output<typeof request>['resourceSpans'][number]['scopeSpans'][number]['spans'][number]

function spanOf(sent: SentSpan): OtlpSpan {
  const { traceId, spanId, name, kind: of, startTimeUnixNano: start, endTimeUnixNano: end } = sent
  const exception = sent.events.find((event) => event.name === 'exception')?.attributes
  const { code: isError, message } = sent.status
  return {
    traceId,
    spanId,
    name,
    kind: of,
    durationNs: Math.max(0, Number(end - start)),
    endedAtMs: Number(end / 1000n) / 1000,
    isError,
    errorText:
      message ||
      ['exception.type', 'exception.message'].flatMap((key) => exception?.get(key) ?? []).join(': '),
    attributes: sent.attributes,
  }
}
