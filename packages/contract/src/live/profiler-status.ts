import { z } from 'zod'
import { liveSourceId, timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import {
  exampleHead,
  headLine,
  liveAppHead,
  liveAppLink,
  liveSectionShape,
  spanText,
  statusLine,
} from './live-shapes.ts'

export const profilerStatus = defineOperation({
  id: 'profiler_status',
  title: 'Profiler status',
  description:
    'Which processes push to a live app, how long they run, and which sections are on, off or failing, and why.',
  toolset: 'live',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/live-apps/{live_app_id}/status' },
  input: z.strictObject({ live_app_id: liveSourceId }),
  output: z.object({
    ...liveAppHead,
    project_id: z.string(),
    processes: z
      .array(
        z.object({
          session: z.string(),
          is_pushing: z.boolean().describe('Within the last minute.'),
          name: z.string().nullable(),
          source: z.string().nullable().describe('Who measures.'),
          era: z.string().nullable(),
          runtime: z.string().nullable(),
          version: z.string().nullable(),
          host: z.string().nullable(),
          pid: z.number().int().nullable(),
          uptime_seconds: z.number().describe('Up to its last push.'),
          first_push_at: timestamp,
          last_push_at: timestamp,
          sections: z.array(liveSectionShape),
        }),
      )
      .describe('Newest first, 20 at most.'),
    process_count: z.number().int(),
  }),
  problems: ['live_app_not_found', 'live_recording_not_found'],
  examples: [
    {
      title: 'One process',
      input: { live_app_id: 'app_01' },
      output: {
        ...exampleHead,
        project_id: 'prj_01',
        processes: [
          {
            session: '01jd-shop-1',
            is_pushing: true,
            name: 'shop',
            source: 'hotpath',
            era: '4',
            runtime: null,
            version: null,
            host: 'web-1',
            pid: 4242,
            uptime_seconds: 3600,
            first_push_at: '2026-11-22T09:00:00.000Z',
            last_push_at: '2026-11-22T10:00:00.000Z',
            sections: [
              { name: 'functions_timing', status: 'on', reason: null, how_to_enable: null },
              {
                name: 'functions_alloc',
                status: 'off',
                reason: 'Memory profiling not available',
                how_to_enable: 'Build with the feature hotpath-alloc.',
              },
            ],
          },
        ],
        process_count: 1,
      },
    },
  ],
  link: ({ live_app_id }) => liveAppLink(live_app_id),
  markdown: (answer) => {
    const newest = answer.processes[0]
    return [
      headLine(answer),
      table(
        ['Process', 'Program', 'Measured by', 'Host', 'PID', 'Up', 'Pushing', 'Sections on'],
        answer.processes.map((process) => [
          process.session,
          [process.name, process.version].filter(Boolean).join(' '),
          [process.source, process.era].filter(Boolean).join(' '),
          process.host,
          process.pid,
          spanText(process.uptime_seconds),
          process.is_pushing ? 'yes' : `no, since ${process.last_push_at}`,
          process.sections
            .filter(({ status }) => status === 'on')
            .map(({ name }) => name)
            .join(', '),
        ]),
        'No process has pushed yet.',
      ),
      ...(newest?.sections.flatMap((section) =>
        section.status === 'on' ? [] : [`- ${statusLine(section)}`],
      ) ?? []),
      answer.process_count > answer.processes.length ? `${answer.process_count} processes in all.` : '',
    ]
      .filter((part) => part !== '')
      .join('\n')
      .replace('\n|', '\n\n|')
      .replace('|\n-', '|\n\n-')
  },
})
