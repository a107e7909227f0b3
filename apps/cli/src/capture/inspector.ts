import { z } from 'zod'
import { CaptureFailed } from './capture-request.ts'

/** A connection to the inspector of one program. */
export interface Inspector {
  /** @throws CaptureFailed when the program refuses, or is gone */
  send(method: string, params?: object): Promise<unknown>
  on(event: string, listener: (params: unknown) => void): void
  /** Rejects when the program hangs up; never resolves. */
  closed: Promise<never>
  close(): void
}

const targets = z.array(z.object({ webSocketDebuggerUrl: z.string().optional() }))
const message = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
})

/** `9229`, `localhost:9229` and whole URLs are addresses of an inspector. */
export function inspectorUrl(given: string): string {
  if (/^\d+$/.test(given)) return `http://127.0.0.1:${given}`
  const url = new URL(/^[a-z]+:\/\//i.test(given) ? given : `http://${given}`)
  return `http://${url.host}`
}

/**
 * Connects to the first program that the inspector at an address has.
 * @throws CaptureFailed
 */
export async function openInspector(given: string): Promise<Inspector> {
  const url = inspectorUrl(given)
  const socket = new WebSocket(await findTarget(url))
  const { promise: closed, reject: hangUp } = Promise.withResolvers<never>()
  // Whoever waits for an answer hears of it; nobody has to wait for this.
  closed.catch(() => {})
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new CaptureFailed(`The inspector at ${url} hung up.`)), {
      once: true,
    })
  })
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  const listeners = new Map<string, (params: unknown) => void>()
  const fail = (failure: CaptureFailed) => {
    hangUp(failure)
    for (const { reject } of waiting.values()) reject(failure)
    waiting.clear()
  }
  socket.addEventListener('close', () => {
    fail(new CaptureFailed(`The program at ${url} ended, or closed its inspector.`))
  })
  socket.addEventListener('message', ({ data }) => {
    try {
      receive(message.parse(JSON.parse(String(data))))
    } catch (cause) {
      fail(new CaptureFailed(`What is at ${url} does not speak as an inspector does.`, { cause }))
      socket.close()
    }
  })
  function receive({ id, result, error, method, params }: z.output<typeof message>): void {
    if (method !== undefined) listeners.get(method)?.(params)
    const asked = id === undefined ? undefined : waiting.get(id)
    if (id === undefined || asked === undefined) return
    waiting.delete(id)
    if (error === undefined) asked.resolve(result)
    else asked.reject(new CaptureFailed(`The inspector at ${url} refused: ${error.message}`))
  }

  let lastId = 0
  return {
    closed,
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== WebSocket.OPEN) {
          reject(new CaptureFailed(`The program at ${url} ended, or closed its inspector.`))
          return
        }
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        socket.send(JSON.stringify({ id: lastId, method, params }))
      }),
    on: (event, listener) => void listeners.set(event, listener),
    close: () => socket.close(),
  }
}

/** https://chromedevtools.github.io/devtools-protocol/#endpoints */
async function findTarget(url: string): Promise<string> {
  const advice =
    'Start the program with node --inspect, or tell one that runs: kill -USR1 <pid>, which opens port 9229.'
  let found: z.output<typeof targets>
  try {
    const response = await fetch(`${url}/json/list`, { signal: AbortSignal.timeout(10_000) })
    found = targets.parse(await response.json())
  } catch (cause) {
    throw new CaptureFailed(`There is no inspector at ${url}. ${advice}`, { cause })
  }
  const [first] = found.flatMap(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl ?? [])
  if (first === undefined) throw new CaptureFailed(`The inspector at ${url} has no program. ${advice}`)
  // The address by which it was asked counts, and not the one that the program knows itself by.
  const address = new URL(first)
  address.host = new URL(url).host
  return address.href
}
