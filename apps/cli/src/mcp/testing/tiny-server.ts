import { createInterface } from 'node:readline'

/**
 * A server that is there at once, with a tool that keeps the processor for as many milliseconds as `--ms` says, times `PACE` of its
 * environment. Run as a program of its own by tests that start many.
 */
const pace = Number(process.env['PACE'] ?? 1)
if (Number.isNaN(pace)) throw new TypeError('PACE is to be a number')
const workMs = pace * Number(process.argv[process.argv.indexOf('--ms') + 1])

function work(): void {
  const untilMs = performance.now() + workMs
  while (performance.now() < untilMs);
}

const results: Readonly<Record<string, (params: { protocolVersion?: string }) => unknown>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tiny', version: '1' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'work', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
  }),
  'tools/call': () => {
    work()
    return { content: [] }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params ?? {}) })}\n`)
}
