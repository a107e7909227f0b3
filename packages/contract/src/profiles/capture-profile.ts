import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { captureKindNames, captureTypes, longestCaptureSeconds } from './capture-kinds.ts'
import { offeredCapture } from './collector-shapes.ts'

export const captureProfile = defineOperation({
  id: 'capture_profile',
  title: 'Capture a profile',
  description: 'Take a profile by a collector, or get the commands for it. Give capture or kind.',
  toolset: 'profiles',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/captures', status: 202 },
  input: z.strictObject({
    project_id: projectId,
    capture: z.string().max(60).optional().describe('Of a collector.'),
    kind: z.enum(captureKindNames).optional().describe('inspect: running Node.'),
    type: z.enum(captureTypes).optional().describe('Default cpu.'),
    seconds: z.number().int().min(1).max(longestCaptureSeconds).optional().describe('Length.'),
    target: z
      .string()
      .max(1000)
      .regex(/^[^\n\r]*$/, 'Write it in one line.')
      .optional()
      .describe('URL, pid or command.'),
  }),
  output: z.object({
    project_id: z.string(),
    task_id: z.string().nullable().describe('null: nobody does it but the person, by the commands.'),
    next_poll_seconds: z.number().int().nullable(),
    collector: z.string().nullable().describe('Name of the one that does it.'),
    commands: z
      .array(z.object({ title: z.string(), command: z.string() }))
      .describe('Each is a way to take it.'),
    captures: z
      .array(offeredCapture.extend({ collector: z.string() }))
      .describe('What connected collectors may run.'),
  }),
  problems: ['project_not_found', 'collector_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Half a minute of a program in Go, with no collector',
      input: { project_id: 'prj_01', kind: 'pprof', seconds: 30 },
      output: {
        project_id: 'prj_01',
        task_id: null,
        next_poll_seconds: null,
        collector: null,
        commands: [
          {
            title: 'Take it and upload it',
            command:
              'flamegate profile --pprof http://localhost:6060 --type cpu --seconds 30 --repository prj_01',
          },
        ],
        captures: [],
      },
    },
    {
      title: 'By a collector',
      input: { project_id: 'prj_01', capture: 'shop', type: 'heap' },
      output: {
        project_id: 'prj_01',
        task_id: 'tsk_01',
        next_poll_seconds: 2,
        collector: 'staging',
        commands: [],
        captures: [],
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/profiles`,
  markdown: ({ task_id, collector, commands, captures }) =>
    task_id === null
      ? [
          'No collector takes this one. Ask the person to run one of these where the program runs:',
          ...commands.map(({ title, command }) => `${title}:\n\n\`\`\`sh\n${command}\n\`\`\``),
          ...(captures.length === 0
            ? []
            : [
                `Connected collectors may run (as capture): ${captures.map(({ name, kind, types }) => `${name} (${kind}: ${types.join(', ')})`).join('; ')}.`,
              ]),
        ].join('\n\n')
      : `The collector ${collector} takes it. Ask get_task_result about task ${task_id}; it ends with the profile's id.`,
})
