import { availableParallelism } from 'node:os'
import type { Client } from '@flamegate/client'
import { operations } from '@flamegate/contract'
import { otherEngines, type OtherEngineName } from '@flamegate/loadtest/scenario'
import { readAllowList } from '../collector/allow-list.ts'
import { runCollector } from '../collector/run-collector.ts'
import { interruptible } from '../harness/interruption.ts'
import { findRunOrigin } from '../origin/run-origin.ts'
import type { Terminal } from '../terminal.ts'
import { patientClient } from '../upload/patient-client.ts'
import { findProfilePlace } from '../upload/profile-place.ts'
import { UsageError } from '../usage-error.ts'
import { agentName, cliVersion, mustBeEncrypted, named, workspaceOf } from './agent-settings.ts'
import type { Command } from './command.ts'

/** `flamegate agent`: stays, and does what the platform asks for: takes profiles, or makes load. */
export const agent: Command = {
  name: 'agent',
  summary: 'Stay, and take profiles or make load when the platform asks for it.',
  details: `With --collect it takes the profiles that ${operations.captureProfile.id} asks for and uploads them. It runs what the file allows and nothing else: the platform sends a name from that list, what to measure and for how long. The file is JSON: {"name": "staging", "allow": {"shop": {"kind": "pprof", "url": "http://localhost:6060", "types": ["cpu", "heap"], "seconds_max": 60}}}. With "mcp": {"notes": {"command": ["node", "notes.js"]}} it also measures MCP servers. docs/profiling.md tells all of it. An API token with the scope upload is enough. With --group it makes the load of scenarios that name this group: ${operations.getAgentInstallCommand.id} makes a token for that, with the scope agent. It connects outwards only. Ctrl-C ends it.`,
  examples: [
    'FLAMEGATE_TOKEN=fg_… flamegate agent --collect collect.json --repository prj_…',
    'flamegate agent --collect /etc/flamegate/collect.json --name staging-1',
    'FLAMEGATE_TOKEN=fg_… flamegate agent --group eu-west --workspace ws_…',
  ],
  positionals: [],
  options: [
    { name: 'collect', value: '<file>', description: 'Take profiles: what may be run here.' },
    { name: 'group', value: '<text>', description: 'Make load: the agent group that this is one of.' },
    {
      name: 'workspace',
      value: '<id>',
      description: 'With --group: the workspace (ws_…); FLAMEGATE_WORKSPACE when left out.',
    },
    {
      name: 'threads',
      value: '<number>',
      description: 'With --group: how many threads make load at most; else one for each core.',
    },
    {
      name: 'browser-users',
      value: '<number>',
      description:
        'With --group: how many users get a real browser at most; else as many as the machine has room for.',
    },
    {
      name: 'allow-engine',
      value: '<names>',
      description:
        'With --group: let others run scripts of k6, jmeter or k6,jmeter here. They can do whatever this user can.',
    },
    {
      name: 'once',
      description: 'With --group: end after one part of a run, or when there is none for a minute.',
    },
    {
      name: 'repository',
      value: '<text>',
      description:
        'With --collect: owner/name, or the id of the project (prj_…); FLAMEGATE_PROJECT when left out.',
    },
    {
      name: 'name',
      value: '<text>',
      description: 'What to call it; else as the file says, else as the machine and process.',
    },
  ],
  async run({ line, terminal, client }) {
    const [fileName, group] = [line.text('collect'), line.text('group')]
    if ((fileName === undefined) === (group === undefined))
      throw new UsageError(
        'Say what it is to do: --collect <file> to take profiles, or --group <text> to make load.',
      )
    mustBeEncrypted(terminal)
    const plain = client()
    const log = (text: string) => terminal.writeOut(`${new Date().toISOString()} ${text}`)
    if (group !== undefined) return makeLoad(group, { line, terminal, plain, log })
    const allowList = await readAllowList(terminal.cwd, fileName ?? '')
    const name = named(line.text('name') ?? allowList.name)
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
        log,
      }),
    )
  },
}

async function makeLoad(
  group: string,
  {
    line,
    terminal,
    plain,
    log,
  }: {
    line: Parameters<Command['run']>[0]['line']
    terminal: Terminal
    plain: Client
    log: (text: string) => void
  },
): Promise<void> {
  const workspaceId = workspaceOf(line, terminal)
  const name = agentName(line)
  // An engine, with all that it needs: not for every other command.
  const { runLoadAgent } = await import('../load-agent/run-load-agent.ts')
  const { findEngines } = await import('../load-agent/other-engines/installed-engines.ts')
  const engines = await findEngines(enginesOf(line.text('allow-engine')), terminal.env)
  const { browserUsersHere } = await import('../load-agent/browser-users.ts')
  await interruptible((interruption) =>
    runLoadAgent({
      client: plain,
      patient: patientClient(plain, terminal),
      workspaceId,
      name,
      agentGroup: named(group, 'group'),
      version: cliVersion(),
      threads: threadsOf(line.text('threads')),
      browserUsersMax: browserUsersOf(line.text('browser-users')) ?? browserUsersHere(),
      engines,
      isOnce: line.flag('once') === true,
      interruption,
      log,
    }),
  )
}

/** @throws UsageError */
function threadsOf(text: string | undefined): number {
  if (text === undefined) return availableParallelism()
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new UsageError(`--threads ${text}: Give a number from 1 to 999.`)
}

/** @throws UsageError */
function browserUsersOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new UsageError(`--browser-users ${text}: Give a number from 0 to 999.`)
}

/** @throws UsageError */
function enginesOf(text = ''): OtherEngineName[] {
  return text
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const engine = otherEngines.find((each) => each === name)
      if (engine === undefined)
        throw new UsageError(
          `--allow-engine ${name}: Give ${otherEngines.join(' or ')}, or both with a comma.`,
        )
      return engine
    })
}
