import { setTimeout as wait } from 'node:timers/promises'
import {
  createPushQueue,
  readExposition,
  type LivePush,
  type PushOutcome,
  type PushQueue,
} from '@flamegate/live'
import { scrape } from '@flamegate/monitors'
import { pushedOf, type Screen } from '../screen.ts'
import { ScrapedRun, scrapedProgram } from './scraped-run.ts'

/** What is kept while the platform cannot be reached. */
const bufferBytes = 64 * 2 ** 20
const lastPushMs = 10_000

/**
 * Scrapes a target at the interval and pushes what it says, until it is interrupted or the platform refuses.
 * @param target with user and password, where it wants them
 * @returns the exit code
 */
export async function runPrometheusBridge({
  target,
  send,
  intervalMs,
  screen,
  interruption,
}: {
  target: URL
  send: (push: LivePush) => Promise<PushOutcome>
  intervalMs: number
  screen: Screen
  interruption: AbortSignal
}): Promise<number> {
  const refused = new AbortController()
  const ended = AbortSignal.any([interruption, refused.signal])
  const { address, secret } = addressOf(target)
  let run: ScrapedRun | undefined
  let queue: PushQueue | undefined
  let trouble = ''

  async function look(): Promise<void> {
    const samples = readExposition(await scrape(address, secret))
    if (run === undefined || run.isOver(samples)) {
      screen.tell(
        `${run === undefined ? 'Reading' : 'It began anew:'} ${target.host}, ${samples.length} samples`,
      )
      run = new ScrapedRun()
      const program = scrapedProgram(target, samples)
      queue?.begin(run.session, program)
      queue ??= createPushQueue({
        session: run.session,
        program,
        send,
        bytesMax: bufferBytes,
        onRefused: (reason) => screen.complain(`The platform refused a push, which is lost: ${reason}`),
        onGivenUp: (reason) => {
          screen.complain(`The platform takes no pushes: ${reason}`)
          refused.abort()
        },
      })
    }
    queue?.add(run.take(samples, Date.now()))
    trouble = ''
    if (queue !== undefined) screen.show(`${samples.length} samples`, queue.state())
  }

  async function lookOrTell(): Promise<void> {
    await look().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== trouble) screen.tell(`${target.host} cannot be read. ${reason} Trying again.`)
      trouble = reason
      queue?.add({
        at: Date.now(),
        sections: { gauges: { status: 'failed', reason: reason.slice(0, 1000) } },
      })
    })
  }

  while (!ended.aborted) {
    const startedAt = Date.now()
    await lookOrTell()
    await wait(Math.max(0, startedAt + intervalMs - Date.now()), undefined, { signal: ended }).catch(() => {})
  }
  if (refused.signal.aborted) return 1
  const isDrained = (await queue?.drain(lastPushMs)) ?? true
  queue?.close()
  screen.tell(`Ended: ${queue === undefined ? 'nothing was read' : pushedOf(queue.state())}.`)
  if (isDrained) return 0
  screen.complain('Not all of it could be pushed.')
  return 1
}

/** `fetch` takes no user and password in an address. */
function addressOf(target: URL): { address: { target_url: string; user: string }; secret: string | null } {
  const plain = new URL(target)
  plain.username = ''
  plain.password = ''
  const secret = target.password === '' ? null : decodeURIComponent(target.password)
  return { address: { target_url: plain.href, user: decodeURIComponent(target.username) }, secret }
}
