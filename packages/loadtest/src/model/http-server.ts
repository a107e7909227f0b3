import { z } from 'zod'
import { field, template } from './template.ts'

/** Where requests go. Passwords and tokens are templates: `${api_token}`, where api_token is a secret. */
export const httpServer = z.strictObject({
  schema_version: z.literal(1).default(1),
  name: z.string().min(1).max(80),
  base_url: z
    .string()
    .max(2000)
    // Without a flag, so that the JSON Schema of it says the same.
    .regex(
      /^[Hh][Tt]{2}[Pp][Ss]?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/,
      'Write http:// or https://, a host, and perhaps a path.',
    )
    .describe('Paths of requests are put behind it. ${…} may stand in it.'),
  headers: z.array(field).max(100).default([]).describe('Sent with every request.'),
  authentication: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({ type: z.literal('basic'), user_name: template, password: template }),
      z.strictObject({ type: z.literal('bearer'), token: template }),
      z.strictObject({ type: z.literal('digest'), user_name: template, password: template }),
    ])
    .prefault({ type: 'none' }),
  tls: z
    .strictObject({
      verify: z.boolean().default(true).describe('False: any certificate is good.'),
      server_name: z
        .string()
        .max(253)
        .nullable()
        .default(null)
        .describe('SNI, if another one than the host.'),
      min_version: z.enum(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2'),
    })
    .prefault({}),
  http_version: z.enum(['http/1.1', 'h2']).default('http/1.1'),
  connect_timeout_ms: z.int().min(1).max(600_000).default(30_000),
  timeout_ms: z.int().min(1).max(3_600_000).default(120_000),
})
export type HttpServer = z.infer<typeof httpServer>
