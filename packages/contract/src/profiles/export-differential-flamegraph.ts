import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { comparedProfiles } from './compared-profiles.ts'
import { comparisonLink } from './comparison-link.ts'
import { exampleDownload, exportedFile, exportedFileParagraphs, pictureWidth } from './exported-file.ts'

export const exportDifferentialFlamegraph = defineOperation({
  id: 'export_differential_flamegraph',
  title: 'Export a differential flame graph',
  description:
    'The call trees of two profiles, or two sets of them, as one picture, red for more and blue for less: a single-use download URL.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/profiles/compare/flamegraph/export' },
  input: z.strictObject({
    ...comparedProfiles,
    format: z.enum(['svg', 'png']).describe('What to draw; an svg zooms and searches in a browser.'),
    width_px: pictureWidth,
  }),
  output: z.object(exportedFile),
  problems: [
    'profile_not_found',
    'run_not_found',
    'benchmark_not_found',
    'no_profile',
    'not_ready',
    'processing_failed',
    'too_large',
    'unavailable',
  ],
  examples: [
    {
      title: 'A picture for a report',
      input: { base: ['prf_01'], head: ['prf_02'], format: 'png' },
      output: {
        file_name: 'checkout difference.png',
        content_type: 'image/png',
        size_bytes: 48_213,
        download: exampleDownload('checkout difference.png'),
        notes: [],
      },
    },
  ],
  link: (_answer, input) => comparisonLink(input),
  markdown: (file) => exportedFileParagraphs(file).join('\n\n'),
})
