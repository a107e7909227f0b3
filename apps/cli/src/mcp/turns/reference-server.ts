import { createInterface } from 'node:readline'
import { referenceVersion } from './reference-version.ts'

// The smallest MCP server over standard streams, with one tool that always does the same work, of the kind that servers do: it
// reads JSON, sorts it by text, and writes it. How long that takes tells how fast the machine is just now. When the work is
// changed, its version has to be.

const text = JSON.stringify(
  Array.from({ length: 300 }, (_, at) => ({ id: at, name: `item ${(at * 7919) % 300}`, tags: ['a', 'b'] })),
)

function work(): number {
  let length = 0
  for (let round = 0; round < 4; round++) {
    const items: { name: string }[] = JSON.parse(text)
    length += JSON.stringify(items.toSorted((a, b) => a.name.localeCompare(b.name))).length
  }
  return length
}

const results: Readonly<Record<string, (params: { protocolVersion?: string }) => unknown>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'flamegate-reference', version: referenceVersion },
  }),
  'tools/list': () => ({
    tools: [{ name: 'work', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
  }),
  'tools/call': () => ({ content: [{ type: 'text', text: String(work()) }] }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = results[method]
  const outcome =
    answer === undefined
      ? { error: { code: -32_601, message: 'There is no such method.' } }
      : { result: answer(params ?? {}) }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`)
}
