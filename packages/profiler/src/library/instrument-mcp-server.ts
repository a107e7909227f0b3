import type { Profiler } from '../profiler.ts'
import { PerformanceMetrics } from './performance-metrics.ts'
import type { OperationTimer } from './performance-metrics.ts'

/** What this needs to know of a transport of the official SDK, of any version. */
interface Transport {
  // oxlint-disable-next-line typescript/no-explicit-any -- messages of every version of the SDK
  onmessage?: ((message: any, ...more: any[]) => void) | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- messages of every version of the SDK
  send: (message: any, ...more: any[]) => Promise<void>
}

/** `Server` and `McpServer` of the official SDK. */
export interface McpServerLike {
  // oxlint-disable-next-line typescript/no-explicit-any -- transports of every version of the SDK
  connect: (transport: any) => Promise<void>
}

export interface McpInstrumentation {
  /** Counts every request: `tools/call search`, `resources/read`, `tools/list` … */
  metrics: PerformanceMetrics
}

export interface McpInstrumentOptions {
  /** Default: new ones. */
  metrics?: PerformanceMetrics
  /** Also tells a live app, where each request is a function. */
  profiler?: Pick<Profiler, 'measure'>
}

interface OpenRequest {
  timer: OperationTimer
  /** Tells the live app. */
  settle?: (failure?: Error) => void
}

/** What a client asks for can be anything: whoever makes up names does not fill the memory. */
const operationsMax = 1000
const otherOperation = '(other)'

/**
 * Measures an MCP server from within, with one line before it is connected: from when a request has come until its answer is handed to
 * the transport. An error of the protocol and a tool that says `isError` count as failed. Works at the transport, so that it does not
 * matter how handlers were registered, nor when.
 */
export function instrumentMcpServer(
  server: McpServerLike,
  { metrics = new PerformanceMetrics(), profiler }: McpInstrumentOptions = {},
): McpInstrumentation {
  const connect = server.connect.bind(server)
  const watching = createWatching(metrics, profiler)
  server.connect = async (transport: Transport) => {
    await connect(transport)
    const hear = transport.onmessage
    const send = transport.send.bind(transport)
    const open = new Map<unknown, OpenRequest>()
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is all that transports have
    transport.onmessage = (message: unknown, ...more: unknown[]) => {
      const request = requestOf(message)
      if (request !== undefined) open.set(request.id, watching(request.operation))
      open.delete(cancelledBy(message))
      hear?.call(transport, message, ...more)
    }
    transport.send = (message: unknown, ...more: unknown[]) => {
      const answer = answerOf(message)
      const request = answer === undefined ? undefined : open.get(answer.id)
      if (answer !== undefined && request !== undefined) {
        open.delete(answer.id)
        request.timer.end(
          answer.error === undefined ? { success: true } : { success: false, error: answer.error },
        )
        request.settle?.(answer.error)
      }
      return send(message, ...more)
    }
  }
  return { metrics }
}

function createWatching(
  metrics: PerformanceMetrics,
  profiler: McpInstrumentOptions['profiler'],
): (operation: string) => OpenRequest {
  const names = new Set<string>()
  const measured = new Map<string, typeof untilDone>()
  return (wanted) => {
    const operation = names.has(wanted) || names.size < operationsMax ? wanted : otherOperation
    names.add(operation)
    const timer = metrics.startTimer(operation)
    if (profiler === undefined) return { timer }
    const run = measured.get(operation) ?? profiler.measure(operation, untilDone)
    measured.set(operation, run)
    let settle: OpenRequest['settle']
    const done = new Promise<void>((resolve, reject) => {
      settle = (failure) => (failure === undefined ? resolve() : reject(failure))
    })
    // The failure was the client's to hear.
    run(done).catch(() => {})
    return { timer, settle }
  }
}

async function untilDone(work: Promise<void>): Promise<void> {
  return work
}

function requestOf(message: unknown): { id: unknown; operation: string } | undefined {
  if (!isObject(message) || typeof message['method'] !== 'string' || message['id'] === undefined)
    return undefined
  const { id, method, params } = message
  const name = isObject(params) ? (params['name'] ?? undefined) : undefined
  return { id, operation: typeof name === 'string' ? `${method} ${name.slice(0, 200)}` : method }
}

/** Of a request that is called off there is no answer. */
function cancelledBy(message: unknown): unknown {
  if (!isObject(message) || message['method'] !== 'notifications/cancelled') return undefined
  return isObject(message['params']) ? message['params']['requestId'] : undefined
}

function answerOf(message: unknown): { id: unknown; error?: Error } | undefined {
  if (!isObject(message) || message['id'] === undefined || 'method' in message) return undefined
  const { id, error, result } = message
  if (isObject(error)) return { id, error: new Error(String(error['message'])) }
  if (isObject(result) && result['isError'] === true) return { id, error: new Error(firstText(result)) }
  return { id }
}

function firstText({ content }: Record<string, unknown>): string {
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  return isObject(first) && typeof first['text'] === 'string' ? first['text'] : 'The tool said isError.'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
