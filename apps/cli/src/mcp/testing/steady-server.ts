import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/**
 * A server whose tool reckons for some milliseconds, always the same: what versions of it are told apart by is how much.
 * `--rounds 12000` is how much is reckoned, `--keep 10` how many megabytes it holds on to, `--fail 0.2` the share of calls that fail.
 * From its environment `SLOWER_BY` such as 1.1. Run as a program of its own.
 */
const text = JSON.stringify(
  Array.from({ length: 200 }, (_, at) => ({ id: at, name: `item ${at}`, tags: ['a', 'b', String(at)] })),
)

function optionOf(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? otherwise : Number(process.argv[at + 1])
}

const rounds = Math.round(optionOf('rounds', 40) * Number(process.env['SLOWER_BY'] ?? 1))
const failing = optionOf('fail', 0)
const kept = Buffer.alloc(optionOf('keep', 0) * 1_000_000, 1)
let calls = 0

/** Reads and sorts what a server would: JSON, texts, objects. */
function reckon(): number {
  let sum = 0
  for (let round = 0; round < rounds; round++) {
    const items: unknown = JSON.parse(text)
    if (!Array.isArray(items)) break
    sum += items.toSorted((a, b) => String(b.name).localeCompare(String(a.name))).length
  }
  return sum
}

serveStdio(() => {
  const server = new McpServer({ name: 'steady', version: process.env['SLOWER_BY'] ?? '1.0' })
  server.registerTool(
    'reckon',
    {
      description: 'Reckons for some milliseconds.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true },
    },
    () => {
      calls++
      const isError = failing > 0 && calls % Math.round(1 / failing) === 0
      return { content: [{ type: 'text', text: `${reckon()} of ${kept.length}` }], isError }
    },
  )
  return server
})
