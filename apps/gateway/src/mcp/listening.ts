import type { Authenticator } from '@flamegate/auth'
import type { Principal } from '@flamegate/contract'
import type { VisibleChange } from '@flamegate/operations/ports'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Server, ServerEventBus } from '@modelcontextprotocol/server'
import { streamsRefusal } from './stream-limits.ts'

type Listener = Parameters<ServerEventBus['subscribe']>[0]

/** An open `subscriptions/listen`. */
interface Stream {
  principal: Principal
  tell: Listener
  /** Sends the result that the client waits for, and closes. */
  end: () => Promise<void>
}

export interface ListeningOptions {
  authenticator: Pick<Authenticator, 'isWithdrawn'>
  onError: (error: Error) => void
}

/** Clients that wait on streams for changes of what they are shown. */
export interface Listening {
  /** Opens a stream for a request that says so, with the capabilities of the server that is made. */
  serve(
    request: Request,
    message: unknown,
    principal: Principal,
    createServer: () => Server,
  ): Promise<Response>
  /** Tells those whom it is about to list anew. */
  tell(change: VisibleChange): void
  /** Ends all streams, with a result. */
  close(): Promise<void>
}

/** How often streams are held against what was revoked. */
const checkEveryMs = 500

export function createListening({ authenticator, onError }: ListeningOptions): Listening {
  const streams = new Set<Stream>()
  let timer: NodeJS.Timeout | undefined

  function checkLater(): void {
    timer ??= setTimeout(() => {
      endWithdrawn()
        .catch(onError)
        .finally(() => {
          timer = undefined
          if (streams.size > 0) checkLater()
        })
    }, checkEveryMs).unref()
  }

  async function endWithdrawn(): Promise<void> {
    const byProof = Map.groupBy(streams, ({ principal }) => principal.grantId ?? principal.clientId)
    for (const [first, ...others] of byProof.values()) {
      if (first === undefined || !(await authenticator.isWithdrawn(first.principal))) continue
      await Promise.all([first, ...others].map((stream) => stream.end()))
    }
  }

  return {
    async serve(request, message, principal, createServer) {
      const refusal = streamsRefusal(
        message,
        principal,
        [...streams].map((stream) => stream.principal),
      )
      if (refusal !== undefined) return refusal
      // A handler for each stream, because one handler tells all of its streams the same.
      const handler = createMcpHandler(createServer, {
        legacy: 'reject',
        onerror: onError,
        bus: {
          publish: () => undefined,
          subscribe(tell) {
            const stream = { principal, tell, end: () => handler.close() }
            streams.add(stream)
            checkLater()
            return () => streams.delete(stream)
          },
        },
      })
      return handler.fetch(request, { parsedBody: message })
    },
    tell(change) {
      for (const { principal, tell } of streams) {
        if (change === 'everybody') {
          tell({ kind: 'tools_list_changed' })
          tell({ kind: 'prompts_list_changed' })
          tell({ kind: 'resources_list_changed' })
        } else if (change.userId === principal.userId) {
          // What a role or a choice decides is which tools there are.
          tell({ kind: 'tools_list_changed' })
        }
      }
    },
    async close() {
      clearTimeout(timer)
      await Promise.all([...streams].map((stream) => stream.end()))
    },
  }
}
