import type { ActionOf, Exchange } from '@flamegate/loadtest'
import { redactExchange } from '@flamegate/loadtest/running'
import { ActionFailure } from '../action-failure.ts'
import { ConnectFailed } from '../http/connect-failed.ts'
import { mergedCookies } from '../http/cookies.ts'
import { networkWords } from '../http/network-words.ts'
import { requestUrl } from '../http/request-url.ts'
import type { Compiler } from '../program/compiler.ts'
import type { Run } from '../program/step.ts'
import { compileAssertions } from '../response/assert.ts'
import { compileExtractors } from '../response/extract.ts'
import { Received } from '../response/received.ts'
import { openWebSocket } from '../websocket/web-sockets.ts'
import type { Handshake, Message } from '../websocket/web-sockets.ts'
import { checkResponse } from './check-response.ts'

type WebSocketAction = ActionOf<'websocket'>
type Operation<Name extends WebSocketAction['operation']> = Extract<WebSocketAction, { operation: Name }>

/** They belong to the handshake, which is made anew. */
const handshakeHeaders =
  /^(?:host|connection|upgrade|sec-websocket-.*|content-length|transfer-encoding|:.*)$/i

export function compileWebSocket(action: WebSocketAction, compiler: Compiler): Run {
  switch (action.operation) {
    case 'connect':
      return compileConnect(action, compiler)
    case 'send': {
      const message = compiler.template(action.message)
      return async (user, draft) => {
        const text = user.expand(message)
        const bytes = Buffer.from(text, action.format === 'base64' ? 'base64' : 'utf8')
        await user.sockets.get(action.connection).send(bytes, action.format === 'base64')
        draft.sentBytes += bytes.length
        draft.say(`→ ${text}`)
      }
    }
    case 'expect':
      return compileExpect(action, compiler)
    default:
      return async (user) => user.sockets.close(action.connection, action.code)
  }
}

function compileConnect(action: Operation<'connect'>, compiler: Compiler): Run {
  const server = compiler.server(action.server_id)
  const path = compiler.template(action.path)
  const headers = compiler.fields(action.headers)
  return async (user, draft) => {
    if (server === undefined)
      throw new ActionFailure(`There is no HTTP server with the id ${action.server_id}.`)
    const http = requestUrl(server, path, [], (template) => user.expand(template))
    const url = new URL(http.href.replace(/^http/, 'ws'))
    const sent: Record<string, string> = { 'user-agent': user.program.userAgent }
    for (const [name, value] of [...server.headers, ...headers]) {
      const key = user.expand(name).toLowerCase()
      if (!handshakeHeaders.test(key)) sent[key] = user.expand(value)
    }
    const cookie = mergedCookies(sent['cookie'], user.http.cookies?.header(http.href) ?? '')
    if (cookie !== '') sent['cookie'] = cookie
    const startedAt = new Date().toISOString()
    const started = performance.now()
    const tell = (handshake: Handshake | null, error: string | null) => {
      const totalMs = performance.now() - started
      const exchange = exchangeOf({ url, sent, handshake, error, startedAt, totalMs })
      draft.status = handshake?.status ?? null
      draft.exchanges.push({
        role: 'main',
        resourceId: null,
        isFromCache: false,
        exchange: redactExchange(exchange, user.redactor),
      })
    }
    let opened
    try {
      const { gate, signal } = user.plan
      const { transport } = server
      opened = await openWebSocket({
        url,
        headers: sent,
        subprotocols: action.subprotocols,
        transport: {
          ...transport,
          connectTimeoutMs: Math.min(transport.connectTimeoutMs, action.timeout_ms),
        },
        gate,
        way: user.way,
        timeoutMs: action.timeout_ms,
        signal,
      })
    } catch (error) {
      user.plan.signal.throwIfAborted()
      const words = error instanceof ConnectFailed ? error.message : networkWords(error, url.host)
      tell(null, words)
      throw new ActionFailure(words, { cause: error })
    }
    for (const { name, value } of opened.handshake.headers)
      if (name.toLowerCase() === 'set-cookie') user.http.cookies?.take(value, http.href)
    tell(opened.handshake, null)
    if (opened.socket === null)
      throw new ActionFailure(
        `The server answered ${opened.handshake.status} ${opened.handshake.statusText}, and opened no WebSocket.`,
      )
    user.sockets.add(action.connection, opened.socket)
  }
}

function compileExpect(action: Operation<'expect'>, compiler: Compiler): Run {
  const contains = action.contains === null ? null : compiler.template(action.contains)
  const pattern = patternOrWords(action.pattern)
  const extractors = compileExtractors(action.extractors, compiler)
  const assertions = compileAssertions(action.assertions, compiler)
  return async (user, draft) => {
    if (typeof pattern === 'string') throw new ActionFailure(pattern)
    const socket = user.sockets.get(action.connection)
    const wanted = contains === null ? null : user.expand(contains)
    const started = performance.now()
    let passedOver = 0
    for (;;) {
      const message = await socket
        .next(started + action.timeout_ms, user.plan.signal)
        .catch((error: unknown) => {
          if (!(error instanceof ActionFailure) || passedOver === 0) throw error
          throw new ActionFailure(`${error.message} ${passedOver} that did not fit were passed over.`, {
            cause: error,
          })
        })
      draft.receivedBytes += message.bytes.length
      const received = receivedOf(message, performance.now() - started)
      const isWanted =
        (wanted === null || received.text.includes(wanted)) && (pattern?.test(received.text) ?? true)
      draft.say(`← ${isWanted ? '' : '(passed over) '}${shownMessage(message)}`)
      if (isWanted) return checkResponse(user, draft, [received], { extractors, assertions })
      passedOver++
    }
  }
}

/** The words of what is wrong with it, where something is. */
function patternOrWords(source: string | null): RegExp | null | string {
  if (source === null) return null
  try {
    return new RegExp(source)
  } catch {
    return `${source} is no regular expression.`
  }
}

function receivedOf({ bytes }: Message, durationMs: number): Received {
  return new Received({ url: '', status: null, statusText: '', headers: [], body: bytes, durationMs })
}

function shownMessage({ bytes, isBinary }: Message): string {
  return isBinary
    ? `${bytes.length} bytes, base64 ${bytes.subarray(0, 300).toString('base64')}`
    : bytes.toString()
}

function exchangeOf(of: {
  url: URL
  sent: Readonly<Record<string, string>>
  handshake: Handshake | null
  error: string | null
  startedAt: string
  totalMs: number
}): Exchange {
  const { handshake } = of
  return {
    startedAt: of.startedAt,
    request: {
      method: 'GET',
      url: of.url.href,
      httpVersion: 'HTTP/1.1',
      headers: Object.entries(of.sent).map(([name, value]) => ({ name, value })),
      body: null,
    },
    response:
      handshake === null
        ? null
        : {
            status: handshake.status,
            statusText: handshake.statusText,
            httpVersion: 'HTTP/1.1',
            headers: handshake.headers,
            body: null,
          },
    error: of.error,
    timings: {
      blockedMs: null,
      dnsMs: handshake?.timings.dnsMs ?? null,
      connectMs: handshake?.timings.connectMs ?? null,
      tlsMs: handshake?.timings.tlsMs ?? null,
      sendMs: null,
      firstByteMs: handshake?.timings.firstByteMs ?? null,
      downloadMs: null,
      totalMs: of.totalMs,
    },
    remoteAddress: handshake?.remoteAddress ?? null,
  }
}
