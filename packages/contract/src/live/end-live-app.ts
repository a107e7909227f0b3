import { z } from 'zod'
import { liveAppId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleLiveApp, liveAppShape, liveAppsTable } from './live-app-shapes.ts'

export const endLiveApp = defineOperation({
  id: 'end_live_app',
  title: 'End a live app',
  description:
    'Note that a program has ended, sooner than by its silence. What it told stays; a push opens it again.',
  toolset: 'live',
  effect: 'write',
  scopes: ['write'],
  idempotent: true,
  http: { method: 'POST', path: '/v1/live-apps/{live_app_id}/end' },
  input: z.strictObject({ live_app_id: liveAppId }),
  output: z.object({ live_app: liveAppShape }),
  problems: ['live_app_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'End',
      input: { live_app_id: 'app_01' },
      output: { live_app: { ...exampleLiveApp, state: 'ended', ended_at: '2026-11-22T10:00:05.000Z' } },
    },
  ],
  link: ({ live_app }) => `/live-apps/${live_app.id}`,
  markdown: ({ live_app }) => liveAppsTable([live_app]),
})
