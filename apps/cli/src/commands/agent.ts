import { getAgentInstallCommand } from '@flamegate/contract/bench-runs/get-agent-install-command'
import { captureProfile } from '@flamegate/contract/profiles/capture-profile'
import { UsageError } from '../usage-error.ts'
import { mustBeEncrypted } from './agent-settings.ts'
import type { CommandBody } from './command.ts'

/** `flamegate agent`: stays, and does what the platform asks for: takes profiles, or makes load. */
export const agent: CommandBody = {
  details: `With --collect it takes the profiles that ${captureProfile.id} asks for and uploads them. It runs what the file allows and nothing else: the platform sends a name from that list, what to measure and for how long. The file is JSON: {"name": "staging", "allow": {"shop": {"kind": "pprof", "url": "http://localhost:6060", "types": ["cpu", "heap"], "seconds_max": 60}}}. With "mcp": {"notes": {"command": ["node", "notes.js"]}} it also measures MCP servers. docs/profiling.md tells all of it. An API token with the scope upload is enough. With --group it makes the load of scenarios that name this group: ${getAgentInstallCommand.id} makes a token for that, with the scope agent. It connects outwards only. Ctrl-C ends it.`,
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
  async run(context) {
    const { line, terminal } = context
    const [fileName, group] = [line.text('collect'), line.text('group')]
    if ((fileName === undefined) === (group === undefined))
      throw new UsageError(
        'Say what it is to do: --collect <file> to take profiles, or --group <text> to make load.',
      )
    mustBeEncrypted(terminal)
    // Either of them has nothing to do with the other, nor with other commands.
    if (group !== undefined) {
      const { startLoadAgent } = await import('../load-agent/start-load-agent.ts')
      return startLoadAgent(group, context)
    }
    const { startCollector } = await import('../collector/start-collector.ts')
    return startCollector(fileName ?? '', context)
  },
}
