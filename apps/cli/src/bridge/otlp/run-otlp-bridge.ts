import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  createPushQueue,
  OtlpError,
  otlpReceived,
  type LivePush,
  type OtlpReceived,
  type PushOutcome,
  type PushQueue,
} from '@flamegate/live'
import { startOtlpServer } from '@flamegate/monitors'
import { UsageError } from '../../usage-error.ts'
import { pushedOf, type Screen } from '../screen.ts'
import { ExportingProgram } from './exporting-program.ts'

/** What is kept of one program while the platform cannot be reached. */
const bufferBytes = 32 * 2 ** 20
const programsMax = 50
/** Who was silent for so long, and of whom all is pushed, makes room for others. */
const forgetAfterMs = 600_000
const pushEveryMs = 1000
const lastPushMs = 10_000

/**
 * Takes what programs export over OTLP/HTTP and pushes it, until it is interrupted or the platform refuses.
 * @returns the exit code
 */
export async function runOtlpBridge({
  host,
  port,
  send,
  screen,
  interruption,
  onListening,
}: {
  host: string
  port: number
  send: (push: LivePush) => Promise<PushOutcome>
  screen: Screen
  interruption: AbortSignal
  onListening?: (port: number) => void
}): Promise<number> {
  const refused = new AbortController()
  const ended = AbortSignal.any([interruption, refused.signal])
  const programs = new Map<string, { program: ExportingProgram; queue: PushQueue }>()

  function take(received: OtlpReceived): void {
    const known = programs.get(received.session) ?? begin(received)
    known.program.take(received, Date.now())
  }

  function begin({ session, program }: OtlpReceived): { program: ExportingProgram; queue: PushQueue } {
    if (programs.size >= programsMax)
      throw new OtlpError(`${programsMax} programs export already. Restart the bridge to forget them.`)
    screen.tell(`Hearing from ${program.name}`)
    const begun = {
      program: new ExportingProgram(),
      queue: createPushQueue({
        // What this counts begins here: of the same program, another bridge counts anew.
        session: `${session}-${randomUUID()}`,
        program,
        send,
        bytesMax: bufferBytes,
        onRefused: (reason) => screen.complain(`The platform refused a push, which is lost: ${reason}`),
        onGivenUp: (reason) => {
          screen.complain(`The platform takes no pushes: ${reason}`)
          refused.abort()
        },
      }),
    }
    programs.set(session, begun)
    return begun
  }

  function pushAll(): void {
    for (const [session, { program, queue }] of programs) {
      const part = program.part()
      if (part !== undefined) queue.add(part)
      if (Date.now() - program.heardAt < forgetAfterMs || queue.state().pendingBytes > 0) continue
      queue.close()
      programs.delete(session)
    }
    const [first] = programs.values()
    if (first !== undefined) screen.show(`${programs.size} programs`, first.queue.state())
  }

  const server = await startOtlpServer({
    host,
    port,
    signals: ['metrics', 'traces'],
    take(signal, request) {
      for (const received of otlpReceived(signal, request)) take(received)
    },
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`It cannot listen at ${host}:${port}: ${reason}`)
  })
  screen.tell(`Listening: OTEL_EXPORTER_OTLP_ENDPOINT=http://${host}:${server.port}`)
  onListening?.(server.port)
  while (!ended.aborted) {
    await wait(pushEveryMs, undefined, { signal: ended }).catch(() => {})
    pushAll()
  }
  await server.close()
  if (refused.signal.aborted) return 1
  pushAll()
  const queues = [...programs.values()].map(({ queue }) => queue)
  const areDrained = await Promise.all(queues.map((queue) => queue.drain(lastPushMs)))
  for (const queue of queues) {
    screen.tell(`Ended: ${pushedOf(queue.state())}.`)
    queue.close()
  }
  if (areDrained.every(Boolean)) return 0
  screen.complain('Not all of it could be pushed.')
  return 1
}
