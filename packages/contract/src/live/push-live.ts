import { z } from 'zod'
import { liveAppId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const pushLive = defineOperation({
  id: 'push_live',
  title: 'Push live metrics',
  description:
    'What a running program, or a bridge beside it, tells of itself: snapshots of sections and log entries. The body may be gzip.',
  toolset: 'live',
  effect: 'write',
  scopes: ['write', 'push'],
  idempotent: true,
  mcp: false,
  http: { method: 'POST', path: '/v1/live-apps/{live_app_id}/pushes' },
  bodyBytesMax: 32 * 2 ** 20,
  input: z.strictObject({
    live_app_id: liveAppId,
    session: z.string().describe('One run of one program; 8 to 64 letters, digits and any of _.:-'),
    sequence: z.number().describe('Rises within the session; a push that comes twice counts once.'),
    at: z.number().describe('When the sections were read, milliseconds since 1970.'),
    program: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('What it is: name, source, language, runtime, version. In the first push at least.'),
    sections: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('By name, such as functions_timing: its status, and all its items as they stand.'),
    logs: z
      .array(z.unknown())
      .optional()
      .describe('Log entries since the push before, for each item as columns of one length.'),
  }),
  output: z.object({
    live_app_id: z.string(),
    status: z.enum(['stored', 'duplicate']).describe('duplicate: that sequence, or a later one, was there.'),
  }),
  problems: ['live_app_not_found', 'insufficient_role', 'invalid_input', 'too_large', 'rate_limited'],
  examples: [
    {
      title: 'A function, and its last calls',
      input: {
        live_app_id: 'app_01',
        session: '01jd-shop-1',
        sequence: 0,
        at: 1_795_296_000_000,
        program: { name: 'shop', source: 'profiler' },
        sections: {
          functions_timing: {
            status: 'on',
            items: [{ id: '1', name: 'pay', distributions: { duration: { count: 2, total: 3000 } } }],
          },
        },
        logs: [
          {
            section: 'functions_timing',
            item: '1',
            at: [1_795_295_999_000, 1_795_295_999_500],
            value: [1000, 2000],
          },
        ],
      },
      output: { live_app_id: 'app_01', status: 'stored' },
    },
  ],
  link: ({ live_app_id }) => `/live-apps/${live_app_id}`,
  markdown: ({ status }) => `The push: ${status}.`,
})
