import { availableParallelism } from 'node:os'
import { otherEngines, type OtherEngineName } from '@flamegate/loadtest/scenario'
import { agentLog, agentName, cliVersion, named, workspaceOf } from '../commands/agent-settings.ts'
import type { CommandContext } from '../commands/command.ts'
import { interruptible } from '../harness/interruption.ts'
import { patientClient } from '../upload/patient-client.ts'
import { UsageError } from '../usage-error.ts'
import { browserUsersHere } from './browser-users.ts'
import { findEngines } from './other-engines/installed-engines.ts'
import { runLoadAgent } from './run-load-agent.ts'

/** `flamegate agent --group <text>`: makes load until it is interrupted. @throws UsageError */
export async function startLoadAgent(
  group: string,
  { line, terminal, client }: CommandContext,
): Promise<void> {
  const plain = client()
  const workspaceId = workspaceOf(line, terminal)
  const name = agentName(line)
  const engines = await findEngines(enginesOf(line.text('allow-engine')), terminal.env)
  await interruptible(
    (interruption) =>
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
        log: agentLog(terminal),
      }),
    { endsWithParent: true },
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
