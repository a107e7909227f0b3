import type { FuzzRequest } from './make-request.ts'
import type { Answer } from './send.ts'
import { pollutedKey } from './strange-values.ts'

/** What only a program says that fell over its input, and what tells how it is made. */
const innards =
  /\n\s+at .{1,200}:\d+:\d+|node_modules|node:internal|\.ts:\d+:\d+|PrismaClient|prisma:\/\/|\bSQLSTATE\b|violates \w+ constraint|relation "\w+"|syntax error at or near|Cannot read propert|is not a function|is not iterable|Maximum call stack|\bECONN[A-Z]+\b/

/** What somebody keeps under such a name, as arguments of a tool are kept, is theirs: it is nowhere else then. */
const asStored = new RegExp(`"(?:prototype|__proto__)":\\{"${pollutedKey}":1\\}`, 'g')

/** What is wrong with an answer, in words that are the same for the same fault. Undefined when nothing is. */
export function wrongWith(request: FuzzRequest, answer: Answer): string | undefined {
  if (answer.failure === 'hang') return 'no answer in time'
  if (answer.failure?.startsWith('unsendable') === true) return undefined
  // A server may hang up on what is no HTTP, or on a body that it does not want.
  if (answer.failure !== undefined)
    return mayHangUp(request) || answer.status >= 400 ? undefined : `connection ended: ${answer.failure}`
  if (answer.status >= 500) return `status ${answer.status}`
  const { text } = answer
  if (request.surface === 'MCP' && /"code":-32603|\((?:internal|unavailable)\)/.test(text))
    return 'internal error over MCP'
  if (
    text.replaceAll(asStored, '').includes(`"${pollutedKey}":1`) &&
    answer.status < 300 &&
    !echoes(request, pollutedKey)
  )
    return 'a property from a prototype'
  // What people stored may say anything.
  const isRefusal = answer.status >= 400 || /"isError":true|"error":\{/.test(text)
  const found = isRefusal ? innards.exec(text)?.[0].trim() : undefined
  if (found !== undefined && !echoes(request, found)) return `innards in the answer: ${found.slice(0, 60)}`
  if (
    answer.status >= 400 &&
    request.operation !== undefined &&
    request.surface !== 'MCP' &&
    !isProblem(answer)
  )
    return `refused with ${answer.status} without problem details`
  return undefined
}

/** Of requests: their answers tell that, too. */
const toldByAnswers = new Set(['request', 'unexpected error', 'unavailable'])

/** What is wrong with what the platform logged. A job that is tried again tells when that does not help. */
export function wrongInLog(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    const said = /"level":"(?:error|fatal)".*"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
    const isTold = said === undefined || toldByAnswers.has(said) || line.includes('"outcome":"will_retry"')
    return isTold ? [] : [`logged: ${said.replaceAll(/\d+/g, 'N')}`]
  })
}

function isProblem({ status, headers, text }: Answer): boolean {
  // What Node's own parser of HTTP refuses comes to no program of ours.
  if (status === 431 || (status === 400 && text === '')) return true
  return String(headers['content-type']).startsWith('application/problem+json') && text.includes('"code":')
}

function mayHangUp({ kind, body }: FuzzRequest): boolean {
  return kind === 'strange headers' || kind === 'elsewhere' || (body?.length ?? 0) > 1_000_000
}

function echoes({ target, body }: FuzzRequest, text: string): boolean {
  return target.includes(text) || body?.includes(text) === true
}
