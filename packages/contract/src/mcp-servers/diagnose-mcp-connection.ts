import { z } from 'zod'
import { defineOperation } from '../operation.ts'

const marks = { ok: '✓', warning: '!', failed: '✗', skipped: '·' } as const
const verdicts = {
  healthy: 'Every client should connect.',
  stumbles: 'Clients connect; some will stumble over what is marked with !.',
  broken: 'Some clients cannot connect: mend what is marked with ✗.',
} as const

export const diagnoseMcpConnection = defineOperation({
  id: 'diagnose_mcp_connection',
  title: 'Diagnose an MCP connection',
  description:
    'Examine how clients would connect to an MCP server: discovery, registration, the beginning of a log-in and, with a token, the conversation. Registers a client there, a few only where it must, removes it again where the server allows it, and says so where not.',
  toolset: 'mcp_servers',
  effect: 'run',
  scopes: ['run'],
  // It is about no workspace.
  role: 'viewer',
  tenancy: 'none',
  http: { method: 'POST', path: '/v1/connection-diagnoses' },
  mcp: false,
  input: z.strictObject({
    mcp_url: z
      .url({ protocol: /^https?$/, hostname: /.+/ })
      .max(2_000)
      .describe('The address of the MCP endpoint, as people type it; reachable from the internet.'),
    token: z
      .string()
      .min(1)
      .max(8_192)
      .optional()
      .describe(
        'A bearer token for that server, to list its tools and call one that only reads. Not stored.',
      ),
  }),
  output: z.object({
    mcp_url: z.string(),
    verdict: z.enum(['healthy', 'stumbles', 'broken']),
    findings: z.array(
      z.object({
        check: z.string().describe('The check, such as challenge.'),
        title: z.string().describe('What should hold.'),
        status: z.enum(['ok', 'warning', 'failed', 'skipped']),
        detail: z.string().describe('What was seen.'),
        advice: z.string().describe('What to change; empty when nothing.'),
        clients: z.array(z.string()).describe('Clients that trip over it.'),
      }),
    ),
  }),
  problems: ['insufficient_scope'],
  examples: [
    {
      title: 'A server that hides its 401 from GET',
      input: { mcp_url: 'https://mcp.example.com/mcp' },
      output: {
        mcp_url: 'https://mcp.example.com/mcp',
        verdict: 'broken',
        findings: [
          {
            check: 'probe-get',
            title: 'GET without a token answers 401, too',
            status: 'failed',
            detail: 'GET was answered with 405.',
            advice:
              'Check the token before the method: some clients begin with this request and read the 401 there.',
            clients: ['Codex', 'mcp-remote'],
          },
        ],
      },
    },
  ],
  link: () => '/doctor',
  markdown: ({ mcp_url, verdict, findings }) =>
    [
      `**${mcp_url}** ${verdicts[verdict]}`,
      '',
      ...findings.map(({ status, title, detail, advice, clients }) =>
        [
          `- ${marks[status]} ${title}: ${detail}`,
          ...(advice === '' ? [] : [`  ${advice}`]),
          ...(clients.length === 0 ? [] : [`  Trips: ${clients.join(', ')}`]),
        ].join('\n'),
      ),
    ].join('\n'),
})
