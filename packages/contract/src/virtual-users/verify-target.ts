import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleTarget, targetShape } from './target-shapes.ts'

/** What has to be where, for a host to be verified; one of the two is enough. */
const proofShape = z.object({
  token: z.string(),
  file_url: z
    .string()
    .nullable()
    .describe('Address of a text file with the token and nothing else, served without a redirect.'),
  dns_name: z.string().nullable().describe('Name of a TXT record that is the token.'),
})

export const verifyTarget = defineOperation({
  id: 'verify_target',
  title: 'Verify a target',
  description:
    'Prove that a project may aim virtual users at a host. Answers a token and where to put it; called again, looks for it.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/targets' },
  idempotent: true,
  input: z.strictObject({
    project_id: projectId,
    host: z
      .string()
      .min(1)
      .max(260)
      .describe('host, host:port, or *.domain, which is proved by DNS and covers all under it.'),
  }),
  output: z.object({
    project_id: z.string(),
    is_verified: z.boolean(),
    target: targetShape.nullable().describe('null: the installation allows this host without a proof.'),
    proof: proofShape.nullable(),
  }),
  problems: ['project_not_found', 'invalid_input', 'insufficient_role'],
  examples: [
    {
      title: 'A new host',
      input: { project_id: 'prj_01', host: 'shop.example.com' },
      output: {
        project_id: 'prj_01',
        is_verified: false,
        target: exampleTarget,
        proof: {
          token: 'flamegate-3q2…',
          file_url: 'https://shop.example.com/.well-known/flamegate-verification.txt',
          dns_name: '_flamegate.shop.example.com',
        },
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/targets`,
  markdown: ({ target, proof }) => {
    if (target === null || proof === null)
      return 'This installation allows the host: there is nothing to prove.'
    if (target.is_verified) return `${target.host} is verified (${target.method}).`
    const places = [
      ...(proof.file_url === null ? [] : [`- a text file at ${proof.file_url} with just the token, or`]),
      ...(proof.dns_name === null ? [] : [`- a DNS record TXT ${proof.dns_name} that is the token`]),
    ]
    return [
      `${target.host} is not verified yet.${target.failure === null ? '' : ` ${target.failure}`}`,
      `Token: \`${proof.token}\`. Let whoever runs the host put it into one of these, then call this again:`,
      places.join('\n'),
    ].join('\n\n')
  },
})
