import { z } from 'zod'

/**
 * An archive of a workspace is a tar.gz: `manifest.json`, rows as JSON lines in `rows/<table>/<number>.jsonl`, those
 * that others refer to first, and the bytes of files as `files/<workspace>/<file>`.
 */
export const archiveFormat = 'flamegate-workspace-1'

export const manifestSchema = z.object({
  format: z.literal(archiveFormat),
  created_at: z.iso.datetime(),
  workspace: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
  /** Columns by table. */
  tables: z.record(z.string(), z.array(z.string())),
})
export type ArchiveManifest = z.output<typeof manifestSchema>

export const manifestName = 'manifest.json'

/** What is not exported: what was done and metered there, what secrets are sealed with, and what is worked out anew. */
export const notExported = new Set(['audit_events', 'data_keys', 'search_words', 'usage_days'])

/**
 * What is exported and not imported: people, what acts by itself or lets somebody in, and what was proved to another
 * installation.
 */
export const notImported = new Set([
  'badges',
  'captures',
  'collectors',
  'deliveries',
  'github_reports',
  'load_generators',
  'memberships',
  'monitor_agents',
  'notifications',
  'schedules',
  'targets',
  'webhooks',
])
