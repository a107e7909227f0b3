import { z } from 'zod'
import { profileId } from '../fields.ts'
import { cell } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatBytes } from '../quantity.ts'
import { profileViewLink } from './view-link.ts'

const heapObjectFields = {
  object_id: z.number().describe('The same in all snapshots of a process.'),
  name: z.string().describe('Of a function its name, of a string its beginning.'),
  class_name: z.string(),
  shallow_size: z.number().describe('Bytes.'),
  retained_size: z.number().describe('Bytes that would be freed with it.'),
}

const retainingPathShape = z.object({
  steps: z
    .array(
      z.object({
        edge_type: z.string().describe('property, element, context (a variable of a closure), internal, …'),
        edge_name: z.string(),
        ...heapObjectFields,
      }),
    )
    .describe('Each object refers to the one before it by the edge; the last is a root.'),
  omitted_steps: z.number().int().describe('Left out in the middle, before the last five.'),
})

const retainedObjectShape = z.object({
  ...heapObjectFields,
  paths: z
    .array(retainingPathShape)
    .describe('Up to three, the shortest first, by different objects; none of what is a root itself.'),
})

export const getHeapRetainers = defineOperation({
  id: 'get_heap_retainers',
  title: 'Get heap retainers',
  description: 'Why objects of a V8 heap snapshot live: shortest paths to a root, and what each retains.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/heap/retainers' },
  input: z.strictObject({
    profile_id: profileId,
    class_name: z.string().min(1).max(300).optional().describe('Or a unique part.'),
    object_id: z.number().int().min(0).optional().describe('In place of a class.'),
    top_n: z.number().int().min(1).max(50).default(3).describe('The largest.'),
  }),
  output: z.object({
    profile_id: z.string(),
    class_name: z.string(),
    object_count: z.number().int().describe('Objects of the class.'),
    retained_size: z.number().describe('Bytes that would be freed with all objects of the class.'),
    objects: z.array(retainedObjectShape),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'Who keeps the sessions',
      input: { profile_id: 'prf_02', class_name: 'Session', top_n: 1 },
      output: {
        profile_id: 'prf_02',
        class_name: 'Session',
        object_count: 250,
        retained_size: 298_000,
        objects: [
          {
            object_id: 68_413,
            name: 'Session',
            class_name: 'Session',
            shallow_size: 40,
            retained_size: 1192,
            paths: [
              {
                steps: [
                  {
                    edge_type: 'property',
                    edge_name: 'cache',
                    object_id: 61_005,
                    name: 'Demo',
                    class_name: 'Demo',
                    shallow_size: 112,
                    retained_size: 309_832,
                  },
                ],
                omitted_steps: 0,
              },
            ],
          },
        ],
      },
    },
  ],
  link: ({ profile_id, class_name }, { object_id: object }) =>
    profileViewLink(profile_id, { view: 'classes', function: class_name, object }),
  markdown: (answer) =>
    [
      `# ${cell(answer.class_name)}`,
      `${answer.object_count} objects, which retain ${formatBytes(answer.retained_size)}.`,
      ...answer.objects.flatMap((object) => [
        `## ${title(object)}`,
        object.paths.length === 0
          ? 'It is a root itself, or only weak references lead to it.'
          : object.paths.map(pathLine).join('\n'),
      ]),
    ].join('\n\n'),
})

function pathLine({ steps, omitted_steps }: z.output<typeof retainingPathShape>, index: number): string {
  const shown = steps.map((step) => `${edge(step)} of ${title(step)}`)
  if (omitted_steps > 0) shown.splice(-5, 0, `… ${omitted_steps} more …`)
  return `${index + 1}. ${shown.join(' ← ')}`
}

function title(object: {
  name: string
  class_name: string
  object_id: number
  retained_size: number
}): string {
  return `${cell(object.name || object.class_name, 80)} @${object.object_id} (${formatBytes(object.retained_size)})`
}

function edge({ edge_type, edge_name }: { edge_type: string; edge_name: string }): string {
  const name = cell(edge_name, 80)
  if (edge_type === 'property') return `.${name}`
  if (edge_type === 'element') return `[${name}]`
  return edge_type === 'context' ? `variable ${name}` : `{${name}}`
}
