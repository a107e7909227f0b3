import { z } from 'zod'
import { profileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleDownload, exportedFile, exportedFileParagraphs, pictureWidth } from './exported-file.ts'
import { sampleSelection } from './selection.ts'

export const exportProfile = defineOperation({
  id: 'export_profile',
  title: 'Export a profile',
  description: 'A profile, or some of its samples, as a file: a single-use download URL, small texts inline.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/export' },
  input: z.strictObject({
    profile_id: profileId,
    format: z
      .enum(['pprof', 'speedscope', 'collapsed', 'd3', 'json', 'markdown', 'svg', 'png'])
      .describe('What to write.'),
    width_px: pictureWidth,
    ...sampleSelection,
  }),
  output: z.object({
    profile_id: z.string(),
    format: z.string(),
    ...exportedFile,
    content: z.string().nullable().describe('The whole file, when it is a small text.'),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed', 'too_large', 'unavailable'],
  examples: [
    {
      title: 'Folded stacks',
      input: { profile_id: 'prf_01', format: 'collapsed' },
      output: {
        profile_id: 'prf_01',
        format: 'collapsed',
        file_name: 'cpu.collapsed.txt',
        content_type: 'text/plain; charset=utf-8',
        size_bytes: 22,
        content: 'main;parse 60\nmain 40\n',
        download: exampleDownload('cpu.collapsed.txt'),
        notes: [],
      },
    },
  ],
  link: ({ profile_id }) => `/profiles/${profile_id}`,
  markdown: ({ content, ...file }) =>
    [...exportedFileParagraphs(file), ...(content === null ? [] : [`\`\`\`\`\n${content}\n\`\`\`\``])].join(
      '\n\n',
    ),
})
