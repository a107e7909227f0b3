import { setTimeout as pause } from 'node:timers/promises'
import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  PROTOCOL_VERSION_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { whatWentWrong } from './what-went-wrong.ts'

const cancelled = z.object({ requestId: z.union([z.string(), z.number()]) })
const initialized = z.object({ protocolVersion: z.string() })

/** Until a subscription that was cut off is asked for again; doubled up to the second. */
const againAfterMs = { first: 1000, longest: 30_000 }

export interface StdioBridgeOptions {
  /** Speaks with the client that started this process. */
  client: Transport
  /** Speaks with the platform. */
  platform: StreamableHTTPClientTransport
  /** Hears what goes wrong, in words for people. */
  say: (text: string) => void
}

/**
 * Passes messages on between a client over standard streams and an endpoint over Streamable HTTP, in both eras of the protocol.
 * It reads of them only what the two transports do differently: which request is called off, and which revision is spoken.
 */
export class StdioBridge {
  readonly #options: StdioBridgeOptions
  /** Requests of the client without an answer. To abort one hangs up on the platform. */
  readonly #underWay = new Map<RequestId, { request: JSONRPCRequest; hangUp: AbortController }>()
  #isClosing = false

  constructor(options: StdioBridgeOptions) {
    this.#options = options
  }

  /** Until the client closes its end, or `interruption`. */
  async run(interruption: AbortSignal): Promise<void> {
    const { client, platform, say } = this.#options
    const over = Promise.withResolvers<void>()
    interruption.addEventListener('abort', () => over.resolve(), { once: true })
    // Transports have a place for one who listens, and no events.
    Object.assign(client, {
      onclose: () => over.resolve(),
      onmessage: (message) => void this.#fromClient(message),
      onerror: ({ message }) => say(message),
    } satisfies Partial<Transport>)
    Object.assign(platform, {
      onmessage: (message) => this.#fromPlatform(message),
    } satisfies Partial<Transport>)
    await platform.start()
    await client.start()
    if (!interruption.aborted) await over.promise
    this.#isClosing = true
    await platform.close()
    await client.close()
  }

  async #fromClient(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) {
      const hangUp = new AbortController()
      this.#underWay.set(message.id, { request: message, hangUp })
      return this.#ask(message, hangUp.signal)
    }
    if (this.#hungUp(message)) return
    await this.#options.platform.send(message).catch((error: unknown) => this.#say(error))
  }

  async #ask(
    request: JSONRPCRequest,
    requestSignal: AbortSignal,
    againMs = againAfterMs.first,
  ): Promise<void> {
    const { platform } = this.#options
    const onRequestStreamEnd = () => {
      if (request.method === 'subscriptions/listen') void this.#askAgain(request, requestSignal, againMs)
      else this.#fail(request.id, new Error('The connection was lost before the answer came.'))
    }
    try {
      await platform.send(request, { requestSignal, onRequestStreamEnd })
    } catch (error) {
      if (!requestSignal.aborted) this.#fail(request.id, error)
    }
  }

  /** A subscription outlives the connection it came over. */
  async #askAgain(request: JSONRPCRequest, requestSignal: AbortSignal, afterMs: number): Promise<void> {
    await pause(afterMs, undefined, { ref: false })
    if (this.#isClosing || requestSignal.aborted || !this.#underWay.has(request.id)) return
    await this.#ask(request, requestSignal, Math.min(2 * afterMs, againAfterMs.longest))
  }

  /** Since 2026-07-28 to hang up is how a request is called off over HTTP; before, it was said. @returns whether that was it */
  #hungUp(message: JSONRPCMessage): boolean {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return false
    const read = cancelled.safeParse(message.params)
    const underWay = read.success ? this.#underWay.get(read.data.requestId) : undefined
    if (underWay === undefined) return false
    const { _meta: meta } = underWay.request.params ?? {}
    if (meta?.[PROTOCOL_VERSION_META_KEY] === undefined) return false
    this.#underWay.delete(underWay.request.id)
    underWay.hangUp.abort()
    return true
  }

  #fromPlatform(message: JSONRPCMessage): void {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      const underWay = message.id === undefined ? undefined : this.#underWay.get(message.id)
      if (underWay === undefined) return
      this.#underWay.delete(underWay.request.id)
      if (isInitializeRequest(underWay.request) && isJSONRPCResultResponse(message)) {
        const read = initialized.safeParse(message.result)
        if (read.success) this.#options.platform.setProtocolVersion(read.data.protocolVersion)
      }
    }
    this.#toClient(message)
  }

  /** Answers in place of the platform. */
  #fail(id: RequestId, error: unknown): void {
    if (this.#isClosing || !this.#underWay.delete(id)) return
    this.#say(error)
    this.#toClient({ jsonrpc: '2.0', id, error: whatWentWrong(error) })
  }

  #toClient(message: JSONRPCMessage): void {
    // Who closed its end wants no more.
    this.#options.client.send(message).catch(() => {})
  }

  #say(error: unknown): void {
    if (!this.#isClosing) this.#options.say(whatWentWrong(error).message)
  }
}
