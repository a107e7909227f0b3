import { z } from 'zod'
import { formatQuantity } from '../quantity.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleFile, fileShape } from './file-shape.ts'

export const listFiles = defineOperation({
  id: 'list_files',
  title: 'List files',
  description:
    'Files of a project, a run, a profile, a bench result or a report, newest first. read_file_lines shows lines of one, download_file gives it whole.',
  toolset: 'general',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/files' },
  input: z.strictObject({
    owner: z.string().min(1).max(64).describe('Id of a project, run, profile, bench result or report.'),
    ...pageInput,
  }),
  output: z.object({
    owner: z.string(),
    files: z.array(fileShape),
    ...pageOutput,
    page: z.string().describe('Path of the page of the owner.'),
  }),
  problems: [
    'owner_not_found',
    'project_not_found',
    'run_not_found',
    'profile_not_found',
    'bench_result_not_found',
    'bench_report_not_found',
    'cursor_invalid',
  ],
  examples: [
    {
      title: 'Files of a run',
      input: { owner: 'run_01' },
      output: { owner: 'run_01', files: [exampleFile], next_cursor: null, page: '/runs/run_01' },
    },
  ],
  link: ({ page }) => page,
  markdown: ({ files, next_cursor }) =>
    table(
      ['File', 'Id', 'Kind', { title: 'Size', right: true }, 'Status', 'Run', 'When'],
      files.map((file) => [
        file.name,
        file.id,
        file.kind,
        formatQuantity(file.size_bytes, 'bytes'),
        file.status,
        file.run_id,
        file.created_at,
      ]),
      'No files. Results that were submitted as text are not kept as a file.',
    ) + moreLine(next_cursor),
})
