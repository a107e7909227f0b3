import { z } from 'zod'

/** Metadata of an authorization server (RFC 8414, 2), as far as clients look at it. */
export const serverMetadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string(),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  client_id_metadata_document_supported: z.boolean().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
export type ServerMetadata = z.output<typeof serverMetadataSchema>

/** What is known of how a client connects that nobody can install: docs/clients.md tells from where. */
export interface Profile {
  name: string
  /** What it opens with: `server/discover` since 2026-07-28, `initialize` before. */
  revision: '2025-06-18' | '2025-11-25' | '2026-07-28'
  /** Where it looks for the metadata of the resource, in this order: what the 401 says, or well-known paths. */
  resourceMetadata: readonly ('challenge' | 'path' | 'root')[]
  /** Where it looks for the metadata of the authorization server, in this order. */
  serverMetadata: readonly string[]
  /** The redirect of this log-in; its form is exact. */
  redirectUri: string
  /** Its own metadata document, used where the server takes it. */
  document?: { url: string; metadata: Readonly<Record<string, unknown>> }
  /** What it posts where it registers. */
  registration: (server: ServerMetadata, scopes: readonly string[]) => Record<string, unknown>
  /** Whether it sends `resource` with every authorization and token request. */
  sendsResource: boolean
  /** What it adds to the scopes that the 401 names; undefined when it sends no scope at all. */
  extraScopes: readonly string[] | undefined
  prompt?: 'consent'
  /** Whether it wants the `resource` of the metadata to be what was typed. */
  comparesResource: boolean
}
