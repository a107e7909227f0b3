import { z } from 'zod'
import { loadGeneratorId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const disconnectLoadGenerator = defineOperation({
  id: 'disconnect_load_generator',
  title: 'Disconnect a load generator',
  description:
    'What flamegate agent --group says when it ends: it is away from now on, and takes no part of a run.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['agent'],
  http: { method: 'POST', path: '/v1/load-generators/{load_generator_id}/disconnect' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({ load_generator_id: loadGeneratorId }),
  output: z.object({ workspace_id: z.string() }),
  problems: ['load_generator_not_found', 'insufficient_role'],
  examples: [{ title: 'One', input: { load_generator_id: 'gen_01' }, output: { workspace_id: 'ws_01' } }],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/load-generators`,
  markdown: () => 'It is away.',
})
