import { createServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/**
 * A server of which it is known what it does inside: `compute` keeps the processor busy in the function `compareDigits`, and `garbage` allocates
 * in `makeGarbage`. Over its standard streams, or with `--port` over HTTP, where its address is the first line that it prints.
 */
function busyServer(): McpServer {
  const server = new McpServer({ name: 'busy', version: '1.0.0' })
  const tool = { inputSchema: z.object({}), annotations: { readOnlyHint: true } }
  server.registerTool('compute', { ...tool, description: 'Computes.' }, () => {
    performance.mark('compute begins')
    const result = burn()
    performance.measure('compute', 'compute begins')
    return text(String(result))
  })
  server.registerTool('garbage', { ...tool, description: 'Makes garbage.' }, () =>
    text(String(makeGarbage())),
  )
  return server
}

const numbers = Array.from({ length: 30_000 }, (_, index) => (index * 7919) % 30_011)

function burn(): number {
  return numbers.toSorted(compareDigits)[0] ?? 0
}

// Called by what V8 has built in, so that it is never made a part of its caller.
function compareDigits(a: number, b: number): number {
  let difference = 0
  for (let digit = 1; digit < 100_000; digit *= 10) {
    difference = difference * 10 + (Math.floor(a / digit) % 10) - (Math.floor(b / digit) % 10)
  }
  return difference
}

function makeGarbage(): number {
  const objects: object[] = []
  for (let index = 0; index < 20_000; index++) objects.push({ index, text: `object ${index}` })
  return objects.length
}

function text(words: string) {
  return { content: [{ type: 'text' as const, text: words }] }
}

if (process.argv.includes('--port')) {
  const handler = toNodeHandler(createMcpHandler(busyServer))
  const server = createServer((request, response) => void handler(request, response))
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}/mcp\n`)
  })
} else serveStdio(busyServer)
