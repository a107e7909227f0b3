import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createPushQueue, readHotpathReport, type LivePush, type PushOutcome } from '@flamegate/live'
import { UsageError } from '../../usage-error.ts'
import type { Screen } from '../screen.ts'

const bytesMax = 64 * 2 ** 20
const withinMs = 60_000

/**
 * Pushes a report that a program wrote. The same report again is the same session, and counts once.
 * @returns the exit code
 */
export async function importReport(
  file: string,
  { cwd, send, screen }: { cwd: string; send: (push: LivePush) => Promise<PushOutcome>; screen: Screen },
): Promise<number> {
  const content = await readFile(resolve(cwd, file)).catch(() => {
    throw new UsageError(`--report ${file}: There is no such file, or it cannot be read.`)
  })
  const { program, ...part } = read(file, content.toString())
  const complain = (reason: string) => screen.complain(`The platform did not take it: ${reason}`)
  const queue = createPushQueue({
    session: `report-${createHash('sha256').update(content).digest('hex').slice(0, 32)}`,
    program,
    send,
    bytesMax,
    onGivenUp: complain,
    onRefused: complain,
  })
  queue.add(part)
  if (!(await queue.drain(withinMs)) || queue.state().pushesRefused > 0) {
    const { trouble } = queue.state()
    if (trouble !== undefined) screen.complain(trouble.reason)
    queue.close()
    return 1
  }
  const names = Object.keys(part.sections ?? {})
  screen.tell(`Pushed the report of ${program.name}: ${names.join(', ')}.`)
  return 0
}

/** @throws UsageError */
function read(file: string, text: string): ReturnType<typeof readHotpathReport> {
  try {
    return readHotpathReport(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof TypeError ? error.message : 'It is no JSON.'
    throw new UsageError(`--report ${file}: ${reason}`)
  }
}
