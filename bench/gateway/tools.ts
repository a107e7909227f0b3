import { z } from 'zod'

/** A tool as a server of the official SDK declares it. `shape` makes its zod schema anew at every call. */
export interface BenchTool {
  name: string
  title: string
  description: string
  annotations: { readOnlyHint: boolean; openWorldHint: boolean }
  shape: () => z.ZodRawShape
}

const verbs = ['get', 'list', 'create', 'compare', 'diff', 'start', 'stop', 'export', 'search', 'annotate']
const nouns = [
  'profile',
  'benchmark',
  'load_test',
  'user',
  'run',
  'series',
  'threshold',
  'graph',
  'agent',
  'report',
]

/**
 * The 100 tools that every server here lists: `find_tools`, which is called, and 99 made ones with two to seven
 * arguments each, so that one listing weighs about as much as that of a real server of this size.
 */
export function benchTools(): BenchTool[] {
  const made = nouns.flatMap((noun) => verbs.map((verb) => ({ noun, verb })))
  return [findTools, ...made.slice(1).map(({ noun, verb }, at) => madeTool(`${noun}_${verb}`, noun, at + 1))]
}

const findTools: BenchTool = {
  name: 'find_tools',
  title: 'Find tools',
  description:
    'Tools that fit a question, with their toolset and a line on each. describe_tool then shows one whole.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  shape: () => ({
    query: z.string().max(300).default('').describe('Words of the question; empty lists all.'),
    toolset: z.string().optional().describe('Only this toolset.'),
    limit: z.number().int().min(1).max(200).default(10).describe('How many at most, best first.'),
  }),
}

function madeTool(name: string, noun: string, at: number): BenchTool {
  const words = name.replaceAll('_', ' ')
  return {
    name,
    title: words,
    description: `${words}: reads or changes the ${noun} identified by id in the caller's project, honouring the scopes of the credential, and returns a compact summary suited to a language model.`,
    annotations: { readOnlyHint: at % 3 !== 0, openWorldHint: false },
    shape: () => ({
      id: z.string().min(1).max(64).describe('Identifier of the object to act on'),
      project_id: z
        .string()
        .regex(/^[a-z0-9-]+$/)
        .optional()
        .describe('Project; that of the token when left out'),
      ...(at % 2 === 1 && {
        limit: z.number().int().min(1).max(500).default(50).describe('Maximum number of rows to return'),
      }),
      ...(at % 3 === 0 && {
        format: z.enum(['json', 'csv', 'markdown', 'folded']).optional().describe('Output format'),
      }),
      ...(at % 4 === 0 && {
        window: z
          .object({ from: z.string().describe('ISO timestamp'), to: z.string().describe('ISO timestamp') })
          .optional()
          .describe('Time window'),
      }),
      ...(at % 5 === 0 && {
        tags: z.array(z.string().max(40)).max(20).optional().describe('Only objects carrying all these tags'),
      }),
      ...(at % 7 === 0 && {
        threshold: z.number().min(0).max(1).optional().describe('Relative change considered significant'),
      }),
    }),
  }
}
