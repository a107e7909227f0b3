import { z } from 'zod'
import { taskId, timestamp } from '../fields.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'

const outcomes = ['mapped', 'approximated', 'dropped'] as const

export const getImportReport = defineOperation({
  id: 'get_import_report',
  title: 'Get the report of an import',
  description: 'What became of every element of an imported source, and why.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/imports/{task_id}/report' },
  mcp: false,
  input: z.strictObject({
    task_id: taskId,
    outcome: z.enum(outcomes).optional().describe('Only these.'),
    search: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only those with this text in place, kind, name or note.'),
    limit: z.number().int().min(1).max(1000).default(100).describe('How many to return at most.'),
    offset: z.int32().min(0).default(0).describe('How many to skip.'),
  }),
  output: z.object({
    task_id: z.string(),
    project_id: z.string(),
    format: z.string(),
    file_name: z.string(),
    virtual_users: z.array(z.object({ id: z.string(), name: z.string() })),
    read: z.number().int().describe('Elements in the source: the sum of the others.'),
    mapped: z.number().int(),
    approximated: z.number().int(),
    dropped: z.number().int(),
    notes: z.array(z.string()),
    elements: z.array(
      z.object({
        place: z.string().describe('Where in the source.'),
        kind: z.string(),
        name: z.string(),
        outcome: z.enum(outcomes),
        note: z.string().nullable(),
        action_id: z.string().nullable(),
        virtual_user_id: z.string().nullable().describe('The one that the action is in.'),
      }),
    ),
    next_offset: z.number().int().nullable().describe('Give it as offset to go on; null at the end.'),
    created_at: timestamp,
  }),
  problems: ['task_not_found'],
  examples: [
    {
      title: 'What was dropped',
      input: { task_id: 'tsk_01', outcome: 'dropped' },
      output: {
        task_id: 'tsk_01',
        project_id: 'prj_01',
        format: 'jmx',
        file_name: 'shop.jmx',
        virtual_users: [{ id: 'vu_01', name: 'Buyer' }],
        read: 40,
        mapped: 37,
        approximated: 2,
        dropped: 1,
        notes: [],
        elements: [
          {
            place: 'Test Plan > Thread Group > View Results Tree',
            kind: 'ResultCollector',
            name: 'View Results Tree',
            outcome: 'dropped',
            note: 'Results are collected anyway.',
            action_id: null,
            virtual_user_id: null,
          },
        ],
        next_offset: null,
        created_at: '2026-11-20T10:00:00.000Z',
      },
    },
  ],
  link: ({ task_id }) => `/imports/${task_id}`,
  markdown: (report) =>
    [
      facts({
        Source: `${report.file_name} (${report.format})`,
        Elements: `${report.read}: ${report.mapped} mapped, ${report.approximated} approximated, ${report.dropped} dropped`,
      }),
      ...report.notes,
      table(
        ['Place', 'Kind', 'Name', 'Outcome', 'Note'],
        report.elements.map(({ place, kind, name, outcome, note }) => [place, kind, name, outcome, note]),
        'No elements that fit.',
      ),
      ...(report.next_offset === null ? [] : [`_More: call again with offset ${report.next_offset}._`]),
    ].join('\n\n'),
})
