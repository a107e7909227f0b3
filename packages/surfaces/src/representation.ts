import { answerJson, problemText, type Operation, type ProblemDetails } from '@flamegate/contract'
import { beginningOf, mayExceed } from './token-estimate.ts'

/**
 * The media types an answer can be asked for in. The gateway asks for the tool result, so that it passes the
 * bytes on without reading them.
 */
export const mediaTypes = {
  json: 'application/json',
  problem: 'application/problem+json',
  markdown: 'text/markdown',
  toolResult: 'application/vnd.flamegate.tool-result+json',
  bytes: 'application/octet-stream',
} as const

export type Representation = 'json' | 'markdown' | 'toolResult' | 'bytes'

/** Which representation an `Accept` header asks for; JSON unless one of the others is named. */
export function representationFor(accept: string | undefined): Representation {
  if (accept === undefined) return 'json'
  if (accept.includes(mediaTypes.toolResult)) return 'toolResult'
  if (accept.includes(mediaTypes.bytes)) return 'bytes'
  return accept.includes(mediaTypes.markdown) ? 'markdown' : 'json'
}

/** The bytes of an answer; undefined when the operation has none. */
export function answerBytes({ bytesField }: Operation, answer: Record<string, unknown>): Buffer | undefined {
  const text = bytesField === undefined ? undefined : answer[bytesField]
  return typeof text === 'string' ? Buffer.from(text, 'base64') : undefined
}

/**
 * By our estimate, which may be a quarter below the truth: so that no result has more than 20,000 tokens, which is what
 * clients take without cutting or refusing.
 */
export const resultTokensMax = 14_500

/** The answer as JSON, to be sent. Where each character is a byte, they are copied, in a third of the time of encoding. */
export function answerPayload(answer: object): string | Buffer {
  const json = answerJson(answer)
  return Buffer.byteLength(json) === json.length ? Buffer.from(json, 'latin1') : json
}

/** The answer as markdown, with the link to its page at the end. */
export function answerMarkdown(
  operation: Operation,
  answer: Record<string, unknown> & { url: string },
): string {
  return `${operation.markdown(answer)}\n\n${answer.url}`
}

/**
 * An MCP `CallToolResult` as JSON: compact markdown to read, structured content to compute with. What is too large for
 * a client comes as text alone, and what is too large as text is cut, which the text then says.
 */
export function toolResultJson(
  operation: Operation,
  answer: Record<string, unknown> & { url: string },
): string {
  const structured = structuredJson(operation, answer)
  const text = operation.toolText === 'json' ? structured : answerMarkdown(operation, answer)
  const whole = `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${structured}}`
  return mayExceed(whole, resultTokensMax) ? textResultJson(operation, answer, text) : whole
}

/** The same for the gateway itself, which computes with it whatever its size, and reads no words. */
export function wholeResultJson(answer: object): string {
  return `{"content":[],"structuredContent":${answerJson(answer)}}`
}

/** Whoever reads the report has it as text; twice it would cost twice. */
function structuredJson({ reportField }: Operation, answer: Record<string, unknown>): string {
  if (reportField === undefined) return answerJson(answer)
  const { [reportField]: _report, ...structure } = answer
  return JSON.stringify(structure)
}

function textResultJson(
  operation: Operation,
  answer: Record<string, unknown> & { url: string },
  text: string,
): string {
  const isWhole = !mayExceed(text, resultTokensMax)
  // JSON that is all there says itself that nothing is missing; a note would spoil it.
  if (isWhole && operation.toolText === 'json') return textOnly(text)
  const advice = `Ask for less (limit, depth, a name), or use REST: ${operation.http.method} ${operation.http.path}.`
  if (isWhole) {
    return textOnly(
      `${text}\n\n_truncated: yes. The text is whole, but its structured form is too large for a tool result. ${advice}_`,
    )
  }
  const beginning = beginningOf(answerMarkdown(operation, answer), resultTokensMax)
  return textOnly(`${beginning}\n\n_truncated: yes. This is the beginning. ${advice} ${answer.url}_`)
}

function textOnly(text: string): string {
  return JSON.stringify({ content: [{ type: 'text', text }] })
}

/** A problem as an MCP result: `isError`, the same words as over REST, and no structured content. */
export function problemResultJson(problem: ProblemDetails): string {
  return JSON.stringify({ content: [{ type: 'text', text: problemText(problem) }], isError: true })
}
