import { z } from 'zod'
import { profileId } from '../fields.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { exampleProfile, profileShape } from './shapes.ts'

export const getProfile = defineOperation({
  id: 'get_profile',
  title: 'Get a profile',
  description:
    'What a profile is: format, sample types with totals, duration, labels, warnings. query_flamegraph and analyze_profile look inside.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}' },
  input: z.strictObject({ profile_id: profileId }),
  output: z.object({ profile: profileShape }),
  problems: ['profile_not_found'],
  examples: [
    { title: 'A CPU profile', input: { profile_id: 'prf_01' }, output: { profile: exampleProfile } },
  ],
  link: ({ profile }) => `/profiles/${profile.id}`,
  markdown: ({ profile }) =>
    [
      `# ${profile.name}`,
      facts({
        Id: profile.id,
        Type: profile.type,
        Format: profile.format,
        Status: profile.status,
        Run: profile.run_id,
        Benchmark: profile.benchmark_id,
        Duration: profile.duration_ms === null ? null : formatQuantity(profile.duration_ms, 'ms'),
        Samples: profile.sample_count,
        'Call-tree nodes': profile.node_count,
        Problem: profile.problem?.detail,
        Warnings: profile.warnings.join('; '),
        Labels: Object.keys(profile.labels).join(', '),
      }),
      table(
        ['Sample type', { title: 'Total', right: true }],
        profile.sample_types.map((row) => [row.type, formatQuantity(row.total, row.unit)]),
        'Not read yet.',
      ),
    ].join('\n\n'),
})
