import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/**
 * A server with faults that are switched on one by one, such as `--faults leak,quadratic`; without any it is its own healthy
 * twin, which does the same work right. It speaks over its standard streams, or with `--port` over HTTP, where its address
 * is the first line that it prints. Run as a program of its own by tests.
 */
const { values: options } = parseArgs({
  options: { faults: { type: 'string', default: '' }, port: { type: 'boolean', default: false } },
})
const faults = new Set(options.faults.split(','))

/** What several calls share. */
const searches: { query: string; hits: string[] }[] = []
let latestTranslation = 0
let calls = 0

const text = z.object({ text: z.string().max(200) })
const nothing = z.object({})
const numbers = z.object({ values: z.array(z.number().int().min(0).max(1_000_000)) })

function faultyServer(): McpServer {
  const server = new McpServer({ name: 'faulty', version: '1.0.0' })
  const annotations = { readOnlyHint: true }
  server.registerTool(
    'search',
    { inputSchema: text, annotations },
    timed((input: z.output<typeof text>) => {
      const hits = Array.from({ length: 200 }, (_, at) => `${input.text} ${at} of ${calls++}`)
      searches.push({ query: input.text, hits })
      if (!faults.has('leak') && searches.length > 50) searches.shift()
      return hits.slice(0, 3).join()
    }),
  )
  server.registerTool(
    'count_duplicates',
    { inputSchema: numbers, annotations },
    timed(({ values }: z.output<typeof numbers>) =>
      String(values.length - (faults.has('quadratic') ? distinctSlowly(values) : new Set(values).size)),
    ),
  )
  server.registerTool(
    'read_sensor',
    { inputSchema: nothing, annotations },
    timed(async () => {
      // As a device answers.
      if (faults.has('blocking')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
      else await pause(60)
      return '21.5'
    }),
  )
  server.registerTool(
    'translate',
    { inputSchema: text, annotations },
    timed(async (input: z.output<typeof text>) => {
      const own = ++latestTranslation
      await pause(3)
      if (faults.has('race') && own !== latestTranslation) throw new Error('Another text was translated.')
      return input.text.toUpperCase()
    }),
  )
  return server
}

/** Tells with its answer how long that took. */
function timed<Input>(answer: (input: Input) => string | Promise<string>) {
  return async (input: Input) => {
    const beganAtMs = performance.now()
    const content = [{ type: 'text' as const, text: await answer(input) }]
    return { content, _meta: { 'flamegate.dev/server-time-ms': performance.now() - beganAtMs } }
  }
}

function distinctSlowly(values: readonly number[]): number {
  const found: number[] = []
  for (const value of values) if (!found.includes(value)) found.push(value)
  return found.length
}

if (options.port) {
  const handler = toNodeHandler(createMcpHandler(faultyServer))
  const server = createServer((request, response) => void handler(request, response))
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}/mcp\n`)
  })
} else serveStdio(faultyServer)
