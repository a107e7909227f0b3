import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { type LoadGeneratorShape, loadGeneratorShape } from './bench-run-shapes.ts'

export const listLoadGenerators = defineOperation({
  id: 'list_load_generators',
  title: 'List load generators',
  description: 'Agents that make load, by group: which are there, and what they work on.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/load-generators' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({ workspace_id: z.string(), load_generators: z.array(loadGeneratorShape) }),
  problems: ['workspace_not_found'],
  examples: [
    {
      title: 'One',
      input: { workspace_id: 'ws_01' },
      output: {
        workspace_id: 'ws_01',
        load_generators: [
          {
            id: 'gen_01',
            name: 'eu-1',
            agent_group: 'eu-west',
            version: '0.1.0',
            cores: 4,
            is_online: true,
            bench_result_id: null,
            browser_users_max: 8,
            engines: [{ type: 'k6', version: '1.3.0', is_allowed: true }],
            last_seen_at: '2026-11-22T10:00:00.000Z',
          },
        ],
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/load-generators`,
  markdown: ({ load_generators }) =>
    load_generators.length === 0
      ? 'No load generator was seen this week. get_agent_install_command says how to start one.'
      : load_generators
          .map(
            ({ name, agent_group, is_online, bench_result_id, cores, engines }) =>
              `- ${name} (${[agent_group, `${cores} cores`, ...engines.map(engineWords)].join(', ')}): ${is_online ? (bench_result_id ?? 'idle') : 'away'}`,
          )
          .join('\n'),
})

function engineWords({ type, version, is_allowed }: LoadGeneratorShape['engines'][number]): string {
  return is_allowed ? [type, version].join(' ').trim() : `${type}, not allowed`
}
