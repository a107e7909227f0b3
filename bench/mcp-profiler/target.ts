// An MCP server over HTTP with as little in it as can be, for who measures to be seen: its own address is what it prints.
import { hash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** Answers of `wait` take these in turns, in ms. */
const waitsMs = [40, 44, 48, 52, 56, 60, 70, 80, 100, 150]
/** What `work` reckons with: about half a millisecond of processor. */
const workload = Buffer.alloc(500_000, 'work')
const annotations = { readOnlyHint: true }
const inputSchema = { type: 'object', properties: {}, additionalProperties: false }

let calls = 0

interface Message {
  id?: number
  method: string
  params?: { name?: string }
}

const server = createServer((request, response) => {
  if (request.url === '/calls') response.end(String(calls))
  else if (request.method === 'POST') void text(request).then((body) => serve(JSON.parse(body), response))
  else response.writeHead(405).end()
})

function serve({ id, method, params }: Message, response: ServerResponse): void {
  if (id === undefined) {
    response.writeHead(202).end()
    return
  }
  const send = () => {
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method) })
    const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }
    response.writeHead(200, head).end(answer)
  }
  if (method !== 'tools/call') {
    send()
    return
  }
  calls++
  if (params?.name === 'work') hash('sha1', workload)
  if (params?.name === 'wait') setTimeout(send, waitsMs[calls % waitsMs.length])
  else send()
}

function resultOf(method: string): unknown {
  if (method === 'initialize') {
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'target', version: '1' },
    }
  }
  if (method === 'tools/list') {
    return { tools: ['quick', 'work', 'wait'].map((name) => ({ name, inputSchema, annotations })) }
  }
  return { content: [{ type: 'text', text: 'done' }] }
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`)
})
