import { agentLog, cliVersion, named } from '../commands/agent-settings.ts'
import type { CommandContext } from '../commands/command.ts'
import { interruptible } from '../harness/interruption.ts'
import { findRunOrigin } from '../origin/run-origin.ts'
import { patientClient } from '../upload/patient-client.ts'
import { findProfilePlace } from '../upload/profile-place.ts'
import { readAllowList } from './allow-list.ts'
import { runCollector } from './run-collector.ts'

/** `flamegate agent --collect <file>`: takes profiles until it is interrupted. @throws UsageError */
export async function startCollector(
  fileName: string,
  { line, terminal, client }: CommandContext,
): Promise<void> {
  const plain = client()
  const allowList = await readAllowList(terminal.cwd, fileName)
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
      log: agentLog(terminal),
    }),
  )
}
