import { problemText, type Operation, type ProblemDetails } from '@flamegate/contract'

/**
 * The media types an answer can be asked for in. The gateway asks for the tool result, so that it passes the
 * bytes on without reading them.
 */
export const mediaTypes = {
  json: 'application/json',
  problem: 'application/problem+json',
  markdown: 'text/markdown',
  toolResult: 'application/vnd.flamegate.tool-result+json',
} as const

export type Representation = 'json' | 'markdown' | 'toolResult'

/** Which representation an `Accept` header asks for; JSON unless one of the others is named. */
export function representationFor(accept: string | undefined): Representation {
  if (accept === undefined) return 'json'
  if (accept.includes(mediaTypes.toolResult)) return 'toolResult'
  return accept.includes(mediaTypes.markdown) ? 'markdown' : 'json'
}

/** About 20,000 tokens: what clients take without cutting or refusing. */
const toolTextMax = 60_000

/** The answer as markdown, with the link to its page at the end. */
export function answerMarkdown(
  operation: Operation,
  answer: Record<string, unknown> & { url: string },
): string {
  return `${operation.markdown(answer)}\n\n${answer.url}`
}

/** An MCP `CallToolResult` as JSON: compact markdown to read, structured content to compute with. */
export function toolResultJson(
  operation: Operation,
  answer: Record<string, unknown> & { url: string },
): string {
  const text = bounded(answerMarkdown(operation, answer), answer.url)
  const structured = JSON.stringify(answer)
  if (structured.length <= toolTextMax) {
    return `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${structured}}`
  }
  const note = `${text}\n\n_truncated: yes. The structured answer is too large for a tool result; ask for less (limit, max_nodes, depth), or use REST: ${operation.http.method} ${operation.http.path}._`
  return JSON.stringify({ content: [{ type: 'text', text: note }] })
}

/** A problem as an MCP result: `isError`, the same words as over REST, and no structured content. */
export function problemResultJson(problem: ProblemDetails): string {
  return JSON.stringify({ content: [{ type: 'text', text: problemText(problem) }], isError: true })
}

function bounded(text: string, url: string): string {
  if (text.length <= toolTextMax) return text
  return `${text.slice(0, toolTextMax)}\n\n_truncated: yes. Ask for less, or see ${url}._`
}
