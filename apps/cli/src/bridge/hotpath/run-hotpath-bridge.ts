import { setTimeout as wait } from 'node:timers/promises'
import { formatDurationNs } from '@flamegate/contract/quantity'
import {
  createPushQueue,
  hotpathPaths,
  readHotpathAnswers,
  type HotpathAnswer,
  type HotpathReading,
  type LivePush,
  type PushOutcome,
  type PushQueue,
} from '@flamegate/live'
import { UsageError } from '../../usage-error.ts'
import { pushedOf, type Screen } from '../screen.ts'
import { NoProgram, type MetricsServer } from './metrics-server.ts'
import { ProgramRun } from './program-run.ts'

/** What is kept while the platform cannot be reached. */
const bufferBytes = 64 * 2 ** 20
/** What a program does not have it may get: it may only register its runtime later. */
const askAgainEveryMs = 30_000
const lastPushMs = 10_000
const topFunctions = 3

/**
 * Reads a program at the interval and pushes what it says, until it is interrupted or the platform refuses.
 * @returns the exit code
 */
export async function runHotpathBridge({
  server,
  send,
  intervalMs,
  screen,
  interruption,
}: {
  server: MetricsServer
  send: (push: LivePush) => Promise<PushOutcome>
  intervalMs: number
  screen: Screen
  interruption: AbortSignal
}): Promise<number> {
  const refused = new AbortController()
  const ended = AbortSignal.any([interruption, refused.signal])
  let run: ProgramRun | undefined
  let queue: PushQueue | undefined
  let isAway = false
  let absent = new Map<string, HotpathAnswer>()
  let askAgainAt = 0

  async function lookAround(): Promise<HotpathReading> {
    const isFull = Date.now() >= askAgainAt
    if (isFull) askAgainAt = Date.now() + askAgainEveryMs
    const answers = new Map<string, HotpathAnswer>()
    for (const path of hotpathPaths) {
      const known = isFull ? undefined : absent.get(path)
      const answer = known ?? (await server.get(path))
      if (answer.status === 401)
        throw new UsageError(
          'The metrics server wants a token: give --auth-token, or set HOTPATH_METRICS_AUTH_TOKEN as the program has it.',
        )
      answers.set(path, answer)
    }
    absent = new Map([...answers].filter(([, { status }]) => status === 404))
    return readHotpathAnswers(answers)
  }

  function begin(next: ProgramRun, reading: HotpathReading): PushQueue {
    const program = next.program(reading)
    screen.tell(`${run === undefined ? 'Reading' : 'It began anew:'} ${program.name}${eraOf(reading)}`)
    for (const line of sectionLines(reading)) screen.tell(line)
    if (queue === undefined)
      return createPushQueue({
        session: next.session,
        program,
        send,
        bytesMax: bufferBytes,
        onRefused: (reason) => screen.complain(`The platform refused a push, which is lost: ${reason}`),
        onGivenUp: (reason) => {
          screen.complain(`The platform takes no pushes: ${reason}`)
          refused.abort()
        },
      })
    queue.begin(next.session, program)
    return queue
  }

  async function look(): Promise<void> {
    const startedAt = Date.now()
    let reading = await lookAround()
    let seen = { reading, readAt: Date.now(), wasAway: isAway }
    if (run?.isOver(seen) === true && absent.size > 0) {
      // Another program may have what the one before had not.
      askAgainAt = 0
      reading = await lookAround()
      seen = { ...seen, reading, readAt: Date.now() }
    }
    isAway = false
    const isNew = run === undefined || run.isOver(seen)
    const current = isNew || run === undefined ? new ProgramRun() : run
    current.take(seen)
    if (isNew || queue === undefined) queue = begin(current, reading)
    run = current
    queue.add({ at: seen.readAt, sections: reading.sections })
    const logs = await current.readLogs(server, reading, startedAt + intervalMs)
    if (logs.length > 0) queue.add({ at: Date.now(), logs })
    screen.show(topOf(reading), queue.state())
  }

  async function lookUntilEnded(): Promise<void> {
    while (!ended.aborted) {
      const startedAt = Date.now()
      try {
        await look()
      } catch (error) {
        if (!(error instanceof NoProgram)) throw error
        if (!isAway) screen.tell(`${error.message} Trying again.`)
        isAway = true
        askAgainAt = 0
      }
      const waitMs = Math.max(0, startedAt + intervalMs - Date.now())
      await wait(waitMs, undefined, { signal: ended }).catch(() => {})
    }
    // How it stands in the end.
    if (!refused.signal.aborted && !isAway) await look().catch(() => {})
  }

  try {
    await lookUntilEnded()
    if (refused.signal.aborted) return 1
    const isDrained = (await queue?.drain(lastPushMs)) ?? true
    screen.tell(`Ended: ${queue === undefined ? 'nothing was read' : pushedOf(queue.state())}.`)
    if (isDrained) return 0
    screen.complain('Not all of it could be pushed.')
    return 1
  } finally {
    queue?.close()
  }
}

function eraOf({ era }: HotpathReading): string {
  return era === undefined ? '' : ` (hotpath, generation ${era})`
}

/** What it offers, and what it does not, with what it says of why. */
function sectionLines({ sections }: HotpathReading): string[] {
  const all = Object.entries(sections)
  const on = all.filter(([, { status }]) => status === 'on').map(([name]) => name)
  return [
    `on: ${on.join(', ') || 'nothing'}`,
    ...all
      .filter(([, { status }]) => status !== 'on')
      .map(([name, { status, reason }]) => `${status}: ${name}. ${reason ?? ''}`),
  ]
}

/** The functions that most time went to. */
function topOf({ sections }: HotpathReading): string {
  const items = sections.functions_timing?.items ?? []
  return items
    .map(({ name, distributions }) => ({ name, total: distributions?.['duration']?.total ?? 0 }))
    .toSorted((a, b) => b.total - a.total)
    .slice(0, topFunctions)
    .map(({ name, total }) => `${name} ${formatDurationNs(total)}`)
    .join(', ')
}
