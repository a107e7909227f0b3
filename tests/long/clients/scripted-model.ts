import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLoopback } from './loopback.ts'

/** Stands in for the model of clients that call tools only when theirs says so. */
export interface ScriptedModel {
  /** Where a client finds a model that calls this tool, by the name that the client gives it, and repeats the result. */
  calling(tool: string): string
  close(): Promise<void>
}

/**
 * Speaks as much of Anthropic's Messages API and of Gemini's `streamGenerateContent` as it takes for one call:
 * the first answer asks for the tool, the second one says what came of it.
 */
export async function openScriptedModel(): Promise<ScriptedModel> {
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`
  return {
    calling: (tool) => `${url}/${tool}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const [, tool = '', ...rest] = (request.url ?? '').split('/')
  const path = rest.join('/')
  if (!/\bmessages(?:\?|$)|:streamGenerateContent/.test(path)) {
    response.writeHead(404).end()
    return
  }
  const result = resultIn(body)
  const speak = path.includes(':streamGenerateContent') ? geminiEvents : anthropicEvents
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(speak(tool, result).join(''))
}

/** What the tool answered, somewhere in the last message of the conversation. */
function resultIn(body: string): string | undefined {
  const { messages, contents }: { messages?: unknown[]; contents?: unknown[] } = JSON.parse(body)
  const last = JSON.stringify((messages ?? contents)?.at(-1))
  return /"tool_result"|"functionResponse"/.test(last) ? last : undefined
}

/** https://docs.claude.com/en/docs/build-with-claude/streaming */
function anthropicEvents(tool: string, result: string | undefined): string[] {
  const [block, delta] =
    result === undefined
      ? [
          { type: 'tool_use', id: 'toolu_1', name: tool, input: {} },
          { type: 'input_json_delta', partial_json: '{}' },
        ]
      : [
          { type: 'text', text: '' },
          { type: 'text_delta', text: result },
        ]
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [] }
  const usage = { input_tokens: 1, output_tokens: 1 }
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: result === undefined ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

/** https://ai.google.dev/api/generate-content */
function geminiEvents(tool: string, result: string | undefined): string[] {
  const part = result === undefined ? { functionCall: { name: tool, args: {} } } : { text: result }
  const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
  return [`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`]
}
