import { getAgentInstallCommand } from '@flamegate/contract/bench-runs/get-agent-install-command'
import { setMonitor } from '@flamegate/contract/monitors/set-monitor'
import { interruptible } from '../harness/interruption.ts'
import { agentLog, agentName, cliVersion, mustBeEncrypted, named, workspaceOf } from './agent-settings.ts'
import type { CommandBody } from './command.ts'

/** `flamegate monitor`: stays near a system under test, and collects what the monitors of its group name. */
export const monitor: CommandBody = {
  details: `It collects the monitors (${setMonitor.id}) that name its group: from the machine that it is on, and from databases and servers that it reaches. It does so while a run of their project goes on, or when somebody checks one. ${getAgentInstallCommand.id} makes a token for that, with the scope agent. It connects to the platform; nothing connects to it, but for metrics over OTLP from this machine. Ctrl-C ends it. docs/monitors.md tells all of it.`,
  examples: ['FLAMEGATE_TOKEN=fg_… flamegate monitor --group near-db --workspace ws_…'],
  positionals: [],
  options: [
    { name: 'group', value: '<text>', description: 'The agent group that this is one of; else default.' },
    {
      name: 'workspace',
      value: '<id>',
      description: 'The workspace (ws_…); FLAMEGATE_WORKSPACE when left out.',
    },
    { name: 'name', value: '<text>', description: 'What to call it; else as the machine and process.' },
  ],
  async run({ line, terminal, client }) {
    mustBeEncrypted(terminal)
    const agent = {
      client: client(),
      workspaceId: workspaceOf(line, terminal),
      name: agentName(line),
      agentGroup: named(line.text('group') ?? 'default', 'group'),
      version: cliVersion(),
      log: agentLog(terminal),
    }
    // Drivers of databases: not for every other command.
    const { runMonitorAgent } = await import('../monitor-agent/run-monitor-agent.ts')
    await interruptible((interruption) => runMonitorAgent({ ...agent, interruption }))
  },
}
