import type { z } from 'zod'
import { apiConfig } from '../../apps/api/src/api-config.ts'
import { cliConfig } from '../../apps/cli/src/cli-config.ts'
import { gatewayConfig } from '../../apps/gateway/src/gateway-config.ts'
import { platformConfig } from '../../apps/platform/src/platform-config.ts'
import { workerConfig } from '../../apps/worker/src/worker-config.ts'
import { describeConfig } from '../../packages/runtime/src/config.ts'
import { code, generatedNote, table } from './markdown.ts'

const apps: readonly { title: string; about: string; schema: z.ZodObject }[] = [
  {
    title: 'Everything together',
    about: '`npm start`, `apps/platform`. All settings may be left out.',
    schema: platformConfig,
  },
  {
    title: 'Gateway',
    about: '`apps/gateway`: MCP, sign-in, OAuth and the web pages.',
    schema: gatewayConfig,
  },
  { title: 'API', about: '`apps/api`: REST, behind the gateway.', schema: apiConfig },
  { title: 'Worker', about: '`apps/worker`: reads uploads.', schema: workerConfig },
  { title: 'Command line', about: '`apps/cli`: `flamegate`.', schema: cliConfig },
]

/** Every environment variable of every app. */
export function configurationPage(): string {
  return [
    '# Configuration',
    generatedNote,
    'Settings are environment variables, read once at start. An empty variable counts as not set. A process whose settings do not fit names each of them and does not start; neither does one that has a variable `FLAMEGATE_…` which is named almost as a setting of it. Secret values are never printed.',
    ...apps.flatMap(({ title, about, schema }) => [`## ${title}`, about, settingsTable(schema)]),
  ]
    .join('\n\n')
    .concat('\n')
}

function settingsTable(schema: z.ZodObject): string {
  return table(
    ['Variable', 'Value', 'Default', 'Meaning'],
    describeConfig(schema).map((row) => [
      code(row.name) + (isRequired(schema, row.name) ? ' (required)' : ''),
      row.type + (row.secret ? ' (secret)' : ''),
      row.default === undefined || row.default === '' ? '' : code(row.default),
      row.description,
    ]),
  )
}

function isRequired(schema: z.ZodObject, name: string): boolean {
  const issues = schema.safeParse({}).error?.issues ?? []
  return issues.some((issue) => issue.path[0] === name)
}
