import { isObject, jsonObject, outcome, text } from '../exchange.ts'
import type { Exchange, Sent } from '../exchange.ts'
import { clientsThat, failed, ok, skipped, warning } from '../finding.ts'
import type { Finding } from '../finding.ts'
import {
  initializedMessage,
  initializeMessage,
  legacyHeaders,
  legacyMessage,
  modernRequest,
  revisions,
} from './messages.ts'
import { endSession, sessionHeaders } from './session.ts'

type Json = Record<string, unknown>

/** Speaks both revisions with a token, lists the tools, and calls one that changes nothing. */
export async function checkConversation(
  send: Exchange,
  url: string,
  token: string | undefined,
): Promise<Finding[]> {
  const credential: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const post = (headers: Readonly<Record<string, string>>, body: string, isProbe = false) =>
    send({ method: 'POST', url, headers: { ...legacyHeaders, ...headers, ...credential }, body, isProbe })
  const answer = await post({}, initializeMessage)
  const initialized = readRpc(answer)
  const agreed = text(initialized.result?.['protocolVersion']) ?? revisions.legacy
  const session = sessionHeaders(answer, agreed)
  if (initialized.result !== undefined) await post(session, initializedMessage, true)
  let asked = 1
  const findings = await converse(initialized, {
    async modern(method, params) {
      const { headers, body } = modernRequest(method, params)
      return readRpc(await post(headers, body))
    },
    async legacy(method, params = {}) {
      return readRpc(await post(session, legacyMessage(++asked, method, params)))
    },
  })
  await endSession(send, url, { ...session, ...credential })
  return findings
}

type Ask = (method: string, params?: Record<string, unknown>) => Promise<RpcAnswer>

async function converse(initialized: RpcAnswer, ask: { modern: Ask; legacy: Ask }): Promise<Finding[]> {
  const legacy = describeEra('initialize', revisions.legacy, initialized, clientsThat.speakTheOldProtocol)
  const discovered = await ask.modern('server/discover')
  const modern =
    discovered.result === undefined
      ? warning('modern', 'It speaks 2026-07-28', {
          detail: `server/discover: ${discovered.said}`,
          advice:
            'Speak the present revision too: newer clients try it first, and older servers cost them a request.',
          clients: clientsThat.speakTheNewProtocol,
        })
      : ok('modern', 'It speaks 2026-07-28', 'server/discover was answered.')
  const speak = discovered.result === undefined ? ask.legacy : ask.modern
  const listed = await speak('tools/list')
  const tools = Array.isArray(listed.result?.['tools']) ? listed.result['tools'].filter(isObject) : undefined
  if (tools === undefined) {
    const complaint = {
      detail: listed.said,
      advice: 'Answer tools/list, with an empty list if there are none.',
      clients: clientsThat.everyone,
    }
    return [legacy, modern, failed('tools', 'It lists its tools', complaint)]
  }
  return [
    legacy,
    modern,
    ...checkTools(tools, listed.sizeBytes),
    await callOne(tools, (name) => speak('tools/call', { name, arguments: {} })),
  ]
}

interface RpcAnswer {
  result: Json | undefined
  /** What was said instead of a result. */
  said: string
  sizeBytes: number
}

/** A JSON-RPC answer, as JSON or as the last message of a stream. */
function readRpc(answer: Sent): RpcAnswer {
  const isStream = answer.headers['content-type']?.includes('event-stream') === true
  const data = isStream
    ? (answer.body.split(/\r?\n/).findLast((line) => line.startsWith('data:')) ?? 'data:').slice(5)
    : answer.body
  const document = jsonObject({ ...answer, body: data })
  const result = document?.['result']
  const error = document?.['error']
  const message = isObject(error) ? text(error['message']) : undefined
  return {
    result: isObject(result) ? result : undefined,
    said: `it ${outcome(answer)}${message === undefined ? '' : `, ${message}`}`,
    sizeBytes: new TextEncoder().encode(data).length,
  }
}

function describeEra(
  method: string,
  revision: string,
  answer: RpcAnswer,
  clients: readonly string[],
): Finding {
  const title = `It speaks ${revision}`
  if (answer.result === undefined) {
    const advice = 'Answer initialize: most clients still begin with it.'
    return failed('legacy', title, { detail: `${method}: ${answer.said}`, advice, clients })
  }
  return ok('legacy', title, `${method} was answered with ${String(answer.result['protocolVersion'])}.`)
}

function checkTools(tools: readonly Json[], sizeBytes: number): Finding[] {
  const title = 'Its tools suit every client'
  const findings: Finding[] = []
  const remark = (detail: string, advice: string, clients: readonly string[]) =>
    findings.push(warning('tools', title, { detail, advice, clients }))
  const names = tools.map((tool) => text(tool['name']) ?? '')
  const long = names.filter((name) => name.length > 40)
  const odd = names.filter((name) => !/^[\w.-]+$/.test(name))
  if (odd.length > 0)
    remark(`Names with other characters: ${odd.join(', ')}.`, 'Use a-z, 0-9 and _.', clientsThat.everyone)
  if (long.length > 0) {
    remark(
      `Names longer than 40 characters: ${long.join(', ')}.`,
      'Shorten them: clients put the name of the server in front and cut off or drop what is over 60 to 64.',
      ['Cursor', 'Gemini CLI', 'ChatGPT'],
    )
  }
  if (tools.length > 40) {
    remark(
      `There are ${tools.length} tools.`,
      'Offer smaller sets under addresses of their own.',
      clientsThat.limitTools.filter((client) => Number(/\d+/.exec(client)?.[0]) < tools.length),
    )
  }
  const unions = tools.filter(
    ({ inputSchema }) =>
      isObject(inputSchema) && ['anyOf', 'oneOf', 'allOf'].some((key) => key in inputSchema),
  )
  if (unions.length > 0) {
    remark(
      `Input schemas with anyOf, oneOf or allOf at the top: ${unions.map(({ name }) => String(name)).join(', ')}.`,
      'Make them plain objects: some model providers refuse the whole list.',
      ['Claude', 'ChatGPT'],
    )
  }
  const unmarked = tools.filter(
    ({ annotations }) => !isObject(annotations) || !('readOnlyHint' in annotations),
  )
  if (unmarked.length > 0) {
    remark(
      `${unmarked.length} tools do not say whether they only read.`,
      'Set readOnlyHint and destructiveHint: clients ask before each call otherwise.',
      ['Claude', 'ChatGPT', 'VS Code'],
    )
  }
  if (findings.length > 0) return findings
  return [ok('tools', title, `${tools.length} tools in ${Math.ceil(sizeBytes / 1024)} kB.`)]
}

async function callOne(tools: readonly Json[], call: (name: string) => Promise<RpcAnswer>): Promise<Finding> {
  const title = 'A tool can be called'
  // The fewer parameters, the likelier it answers without any.
  const [tool] = tools.filter(canBeTried).toSorted((a, b) => parameterCount(a) - parameterCount(b))
  const name = text(tool?.['name'])
  if (name === undefined)
    return skipped('call', title, 'No tool says that it only reads and needs no arguments.')
  const { result, said } = await call(name)
  if (result === undefined) {
    const advice = 'Look at the log of the server.'
    return failed('call', title, { detail: `${name}: ${said}`, advice, clients: clientsThat.everyone })
  }
  if (result['isError'] === true) {
    return warning('call', title, {
      detail: `${name} answered with an error.`,
      advice: 'Try it by hand: the connection works, but the tool did not.',
      clients: [],
    })
  }
  return ok('call', title, `${name} answered.`)
}

function canBeTried({ annotations, inputSchema }: Json): boolean {
  if (!isObject(annotations) || annotations['readOnlyHint'] !== true || !isObject(inputSchema)) return false
  return !(Array.isArray(inputSchema['required']) && inputSchema['required'].length > 0)
}

function parameterCount({ inputSchema }: Json): number {
  const properties = isObject(inputSchema) ? inputSchema['properties'] : undefined
  return isObject(properties) ? Object.keys(properties).length : 0
}
