import { z } from 'zod'
import { assertion } from './assertion.ts'
import { extractor } from './extractor.ts'
import { field, filePath, partId, serverId, template } from './template.ts'

const contentType = z.string().max(200)

/** What a request sends after its headers. */
export const requestBody = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('raw'),
      text: template,
      content_type: contentType.nullable().default(null).describe('null: as the headers say, or none.'),
    }),
    z.strictObject({
      type: z.literal('json'),
      text: template.describe('JSON with variables in it; sent as it is written.'),
      content_type: contentType.default('application/json'),
    }),
    z.strictObject({ type: z.literal('form'), fields: z.array(field).max(2000) }),
    z.strictObject({
      type: z.literal('multipart'),
      parts: z
        .array(
          z.discriminatedUnion('type', [
            z.strictObject({
              type: z.literal('field'),
              name: template,
              value: template,
              content_type: contentType.nullable().default(null),
            }),
            z.strictObject({
              type: z.literal('file'),
              name: template,
              path: filePath.describe('Of the project file that is sent.'),
              file_name: template
                .nullable()
                .default(null)
                .describe('As the server is told; null: the last part of the path.'),
              content_type: contentType.default('application/octet-stream'),
            }),
          ]),
        )
        .max(500),
    }),
    z.strictObject({
      type: z.literal('file'),
      path: filePath.describe('Of the project file whose bytes are the body.'),
      content_type: contentType.default('application/octet-stream'),
    }),
    z.strictObject({
      type: z.literal('base64'),
      data: z.base64().max(4_000_000),
      content_type: contentType.nullable().default(null),
    }),
  ])
  .meta({ id: 'request_body' })
export type RequestBody = z.infer<typeof requestBody>

export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Something that a page loads beside itself; requested at the same time as its like, as a browser does. */
export const embeddedResource = z
  .strictObject({
    id: partId,
    server_id: serverId,
    path: template,
    headers: z.array(field).max(200).default([]),
    enabled: z.boolean().default(true),
    recorded: z.int().min(0).nullable().default(null).describe('Its place in the recording.'),
  })
  .meta({ id: 'embedded_resource' })
export type EmbeddedResource = z.infer<typeof embeddedResource>

export const httpRequestFields = {
  method: z.enum(httpMethods),
  server_id: serverId,
  path: template.describe('From the base URL of the server on, without the query: /orders/${order_id}.'),
  query: z.array(field).max(1000).default([]),
  headers: z
    .array(field)
    .max(200)
    .default([])
    .describe('Beside those of the server; cookies come by themselves.'),
  body: requestBody.nullable().default(null),
  redirects: z
    .strictObject({
      follow: z.boolean().default(true),
      max: z.int().min(1).max(50).default(20),
      recorded: z
        .array(z.int().min(0))
        .max(50)
        .default([])
        .describe('Places in the recording of what they led to; the last is what answered.'),
    })
    .prefault({}),
  timeout_ms: z.int().min(1).max(3_600_000).nullable().default(null).describe('null: that of the server.'),
  resources: z
    .strictObject({
      mode: z
        .enum(['none', 'listed', 'parsed'])
        .default('none')
        .describe('parsed: what the HTML that comes back names.'),
      parallel: z.int().min(1).max(32).default(6),
      list: z.array(embeddedResource).max(2000).default([]),
    })
    .prefault({}),
  extractors: z.array(extractor).max(200).default([]),
  assertions: z.array(assertion).max(200).default([]),
  recorded: z.int().min(0).nullable().default(null).describe('Its place in the recording.'),
  disabled_reason: z
    .string()
    .max(500)
    .nullable()
    .default(null)
    .describe('Why an import disabled it: its host is not verified.'),
}
