import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/**
 * A server with tools of which it is known how they behave: over its standard streams, or with `--port` over HTTP, where its
 * address is the first line that it prints. Run as a program of its own by tests.
 */
function sampleServer(): McpServer {
  const server = new McpServer({ name: 'sample', version: '1.2.3' })
  const reads = { readOnlyHint: true }
  server.registerTool(
    'echo',
    {
      description: 'Says it again.',
      inputSchema: z.object({ text: z.string().max(200) }),
      annotations: reads,
    },
    ({ text: words }) => text(words),
  )
  server.registerTool(
    'slow',
    { description: 'Takes 20 ms.', inputSchema: z.object({}), annotations: reads },
    async () => {
      await pause(20)
      return text('done')
    },
  )
  server.registerTool('fails', { description: 'Says that it failed.', inputSchema: z.object({}) }, () => ({
    ...text('It did not work.'),
    isError: true,
  }))
  server.registerTool(
    'stream',
    { description: 'Tells its progress, then ends after 20 ms.', inputSchema: z.object({}) },
    async (_input, context) => {
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: 'sample', progress: 1, total: 2 },
      })
      await pause(20)
      return text('streamed')
    },
  )
  server.registerTool('timed', { description: 'Says that it took 7 ms.', inputSchema: z.object({}) }, () => ({
    ...text('timed'),
    _meta: { 'flamegate.dev/server-time-ms': 7 },
  }))
  server.registerTool(
    'remove',
    {
      description: 'Must never be called unasked.',
      inputSchema: z.object({}),
      annotations: { destructiveHint: true, readOnlyHint: false },
    },
    () => text('removed'),
  )
  server.registerTool('quit', { description: 'Ends the server.', inputSchema: z.object({}) }, () =>
    process.exit(3),
  )
  server.registerTool('hang', { description: 'Never answers.', inputSchema: z.object({}) }, () =>
    pause(600_000, text('')),
  )
  server.registerResource('note', 'sample://note', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, text: 'A note.' }],
  }))
  return server
}

function text(words: string) {
  return { content: [{ type: 'text' as const, text: words }] }
}

if (process.argv.includes('--port')) {
  const handler = toNodeHandler(createMcpHandler(sampleServer))
  const server = createServer((request, response) => {
    if (request.headers['x-unlucky'] !== undefined) response.writeHead(503).end('no luck')
    else void handler(request, response)
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}/mcp\n`)
  })
} else serveStdio(sampleServer)
