import { z } from 'zod'
import { mcpSessionId, mcpTargetId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { mcpTargetLink } from './mcp-shapes.ts'

const level = z.enum(['high', 'medium', 'low'])

export const diagnoseMcpServer = defineOperation({
  id: 'diagnose_mcp_server',
  title: 'Diagnose an MCP server',
  description: 'Bottlenecks of an MCP server, by a measured session: evidence, score and a plan.',
  toolset: 'mcp_servers',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/mcp-targets/{mcp_target_id}/diagnosis' },
  input: z.strictObject({
    mcp_target_id: mcpTargetId,
    about: z
      .enum(['all', 'cpu', 'memory_leak', 'slow_response', 'errors'])
      .default('all')
      .describe('Only such findings.'),
    mcp_session_id: mcpSessionId.optional().describe('Else the latest.'),
  }),
  output: z.object({
    project_id: z.string(),
    mcp_target_id: z.string(),
    target: z.string(),
    session_id: z.string(),
    started_at: z.string(),
    command: z.string(),
    about: z.string(),
    score: z.number().nullable().describe('0 to 100; null: too little to judge.'),
    score_parts: z.array(z.object({ name: z.string(), points: z.number() })),
    findings: z.array(
      z.object({
        rule: z.string(),
        type: z.enum(['cpu', 'memory', 'io', 'other']),
        title: z.string(),
        subject: z.string().nullable().describe('Operation or function; null: the whole.'),
        evidence: z.array(
          z.object({ name: z.string(), value: z.union([z.number(), z.string()]), unit: z.string() }),
        ),
        confidence: level,
        priority: level,
        suggestion: z.string(),
      }),
    ),
    plan: z
      .array(
        z.object({
          step: z.number().int(),
          do: z.string(),
          because: z.string().describe('Rules or what is missing.'),
          check: z.string().describe('How to see whether it helped.'),
        }),
      )
      .describe('In order: the most urgent first.'),
    not_asked: z.array(z.object({ rule: z.string(), reason: z.string() })),
  }),
  problems: ['mcp_target_not_found', 'mcp_session_not_found'],
  examples: [
    {
      title: 'A slow tool',
      input: { mcp_target_id: 'mct_01', about: 'slow_response' },
      output: {
        project_id: 'prj_01',
        mcp_target_id: 'mct_01',
        target: 'notes',
        session_id: 'mcs_01',
        started_at: '2026-11-29T10:00:00.000Z',
        command: 'load-test',
        about: 'slow_response',
        score: 85,
        score_parts: [{ name: 'findings', points: 10 }],
        findings: [
          {
            rule: 'slow_operation',
            type: 'other',
            title: 'search is much slower than the other operations.',
            subject: 'search',
            evidence: [{ name: 'p95', value: 1200, unit: 'ms' }],
            confidence: 'high',
            priority: 'high',
            suggestion: 'Take a CPU profile while only search is called.',
          },
        ],
        plan: [
          {
            step: 1,
            do: 'Take a CPU profile while only search is called.',
            because: 'slow_operation: search',
            check: 'Measure again with load_test_mcp_server, and compare_mcp_sessions with mcs_01 as base.',
          },
        ],
        not_asked: [],
      },
    },
  ],
  link: ({ mcp_target_id }) => mcpTargetLink(mcp_target_id),
  markdown: ({ target, command, started_at, score, score_parts, findings, plan, not_asked }) =>
    [
      `**${target}**, ${command} of ${started_at}: score ${score ?? 'unknown'}${score_parts.map(({ name, points }) => ` −${points} ${name}`).join(',')}`,
      ...(findings.length === 0
        ? ['No finding.']
        : findings.map(
            ({ title, rule, priority, confidence, evidence, suggestion }) =>
              `**${title}** (${rule}, ${priority} priority, ${confidence} confidence)\n\n${facts(
                Object.fromEntries(
                  evidence.map(({ name, value, unit }) => [name, `${value} ${unit}`.trim()]),
                ),
              )}\n\n${suggestion}`,
          )),
      ...(plan.length === 0
        ? []
        : [
            '**Plan**',
            plan.map((step) => `${step.step}. ${step.do} (${step.because}) ${step.check}`).join('\n'),
          ]),
      ...(not_asked.length === 0
        ? []
        : [`Not judged: ${not_asked.map(({ rule, reason }) => `${rule} (${reason})`).join('; ')}`]),
    ].join('\n\n'),
})
