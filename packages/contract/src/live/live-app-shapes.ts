import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { formatBytes } from '../quantity.ts'

export const liveAppName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('Of the app; the same name is the same app.')

export const liveAppShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  state: z
    .enum(['waiting', 'live', 'ended'])
    .describe(
      'waiting: nothing was pushed yet. ended: silent for minutes, or by somebody; a push opens it again.',
    ),
  created_at: timestamp,
  last_push_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  size_bytes: z.number().int().describe('What is kept of it.'),
})

/** What the newest process says of itself. */
export const liveProcessShape = z.object({
  session: z.string(),
  program: z.string().nullable(),
  source: z.string().nullable().describe('Who measures: profiler, hotpath, prometheus or otlp.'),
  runtime: z.string().nullable(),
  version: z.string().nullable(),
  host: z.string().nullable(),
  sections_on: z.array(z.string()).describe('What it measures.'),
})

export const exampleLiveApp = {
  id: 'app_01',
  project_id: 'prj_01',
  name: 'shop',
  state: 'live' as const,
  created_at: '2026-11-22T09:00:00.000Z',
  last_push_at: '2026-11-22T10:00:00.000Z',
  ended_at: null,
  size_bytes: 1_200_000,
}

/** Live apps as a table, with what the newest process of each measures. */
export function liveAppsTable(
  apps: readonly (z.output<typeof liveAppShape> & { process?: z.output<typeof liveProcessShape> | null })[],
): string {
  return table(
    ['Live app', 'Id', 'State', 'Last push', 'Program', 'Measures', 'Kept'],
    apps.map((app) => [
      app.name,
      app.id,
      app.state,
      app.last_push_at,
      [app.process?.program, app.process?.runtime].filter((word) => word != null).join(', '),
      app.process?.sections_on.join(', '),
      formatBytes(app.size_bytes),
    ]),
    'No live app yet. register_live_app makes one, and says how a program comes to push to it.',
  )
}
