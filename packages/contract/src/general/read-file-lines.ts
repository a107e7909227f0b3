import { z } from 'zod'
import { fileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const readFileLines = defineOperation({
  id: 'read_file_lines',
  title: 'Read lines of a file',
  description:
    'Lines of a text file: a range, or those that contain a text, with lines around them. Reads gzip as if it were unpacked; refuses binary files.',
  toolset: 'general',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/files/{file_id}/lines' },
  input: z.strictObject({
    file_id: fileId.describe('Id of the file (fil_…); list_files shows them.'),
    from_line: z.int32().min(1).default(1).describe('First line to look at, from 1.'),
    limit: z.number().int().min(1).max(1000).default(100).describe('How many lines to return at most.'),
    contains: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Only lines that contain this text, as it is written here; upper and lower case are alike.'),
    context_lines: z
      .number()
      .int()
      .min(0)
      .max(20)
      .default(0)
      .describe('With contains: lines to show before and after each.'),
  }),
  output: z.object({
    file_id: z.string(),
    name: z.string(),
    lines: z.array(
      z.object({
        number: z.number().int(),
        text: z.string(),
        matches: z
          .boolean()
          .describe('Whether it contains the text, rather than being around one that does.'),
        cut: z.boolean().describe('Whether the line is longer than what is shown of it.'),
      }),
    ),
    next_line: z.number().int().nullable().describe('Give it as from_line to go on; null at the end.'),
    line_count: z
      .number()
      .int()
      .nullable()
      .describe('Lines of the whole file; null while the end was not seen.'),
    page: z.string(),
  }),
  problems: ['file_not_found', 'upload_missing', 'not_text', 'too_large'],
  examples: [
    {
      title: 'Where a benchmark was measured',
      input: { file_id: 'fil_01', contains: 'ns/op', limit: 1 },
      output: {
        file_id: 'fil_01',
        name: 'bench.txt',
        lines: [{ number: 5, text: 'BenchmarkRoute-2  100000  1024 ns/op', matches: true, cut: false }],
        next_line: 6,
        line_count: null,
        page: '/projects/prj_01',
      },
    },
  ],
  link: ({ page }) => page,
  markdown: ({ name, lines, next_line, line_count }) =>
    [
      name,
      lines.length === 0
        ? 'No lines that fit.'
        : fenced(lines.map((line) => `${line.number}: ${line.text}${line.cut ? '… (cut)' : ''}`).join('\n')),
      next_line === null
        ? `End of the file, ${line_count} lines.`
        : `_More: call again with from_line ${next_line}._`,
    ].join('\n\n'),
})

/** A code block whose fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
