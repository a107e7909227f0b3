import { readFileSync } from 'node:fs'
import { operations } from '@flamegate/contract'
import { z } from 'zod'
import { readAllowList } from '../collector/allow-list.ts'
import { runCollector } from '../collector/run-collector.ts'
import { interruptible } from '../harness/interruption.ts'
import { credentialsOf } from '../login/credentials.ts'
import { findRunOrigin } from '../origin/run-origin.ts'
import type { Terminal } from '../terminal.ts'
import { patientClient } from '../upload/patient-client.ts'
import { findProfilePlace } from '../upload/profile-place.ts'
import { UsageError } from '../usage-error.ts'
import type { Command } from './command.ts'

/** `flamegate agent --collect`: takes what the platform asks for, of what its owner allows. */
export const agent: Command = {
  name: 'agent',
  summary: 'Stay, and take the profiles that are asked for on the platform.',
  details: `Connects to the platform, waits for what ${operations.captureProfile.id} asks, takes it here and uploads it. It runs what the file allows and nothing else: the platform sends a name from that list, what to measure and for how long. The file is JSON: {"name": "staging", "allow": {"shop": {"kind": "pprof", "url": "http://localhost:6060", "types": ["cpu", "heap"], "seconds_max": 60}}}. docs/profiling.md tells all of it. An API token with the scope upload is enough. Ctrl-C ends it.`,
  examples: [
    'FLAMEGATE_TOKEN=fg_… flamegate agent --collect collect.json --repository prj_…',
    'flamegate agent --collect /etc/flamegate/collect.json --name staging-1',
  ],
  positionals: [],
  options: [
    { name: 'collect', value: '<file>', description: 'Required. What may be run here.' },
    {
      name: 'repository',
      value: '<text>',
      description: 'owner/name, or the id of the project (prj_…); FLAMEGATE_PROJECT when left out.',
    },
    {
      name: 'name',
      value: '<text>',
      description: 'What to call it; else as the file says, else as the machine.',
    },
  ],
  async run({ line, terminal, client }) {
    const fileName = line.text('collect')
    if (fileName === undefined) throw new UsageError('Say what may be run here: --collect <file>.')
    const allowList = await readAllowList(terminal.cwd, fileName)
    const name = line.text('name') ?? allowList.name
    if (!/^[\w.-]{1,60}$/.test(name)) {
      throw new UsageError(`--name ${name}: Use letters, digits, dots, underscores and dashes.`)
    }
    mustBeEncrypted(terminal)
    const plain = client()
    const patient = patientClient(plain, terminal)
    const origin = await findRunOrigin({ env: terminal.env, cwd: terminal.cwd })
    const repository =
      line.text('repository') ?? (terminal.env['FLAMEGATE_PROJECT'] || undefined) ?? origin.repository
    const { project_id: projectId } = await findProfilePlace(patient, { repository })
    await interruptible((interruption) =>
      runCollector({
        client: plain,
        patient,
        terminal,
        projectId,
        version: cliVersion(),
        allowList: { ...allowList, name },
        interruption,
        log: (text) => terminal.writeOut(`${new Date().toISOString()} ${text}`),
      }),
    )
  },
}

/** Profiles tell much of a program, and a token is a token. On one machine nobody listens. @throws UsageError */
function mustBeEncrypted({ env }: Terminal): void {
  const { protocol, hostname } = new URL(credentialsOf(env).url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isHere) {
    throw new UsageError('A collector connects by https alone: set FLAMEGATE_URL to such an address.')
  }
}

function cliVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version
}
