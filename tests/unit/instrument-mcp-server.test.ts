import { instrumentMcpServer } from '@flamegate/profiler'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  McpServer as McpServer2,
  InMemoryTransport as InMemoryTransport2,
} from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'

const good = { content: [{ type: 'text' as const, text: 'fine' }] }
const bad = { content: [{ type: 'text' as const, text: 'out of stock' }], isError: true }

function ofFirstGeneration() {
  const server = new McpServer({ name: 'shop', version: '1.0.0' })
  server.registerTool('good', {}, () => good)
  server.registerTool('bad', {}, () => bad)
  const [near, far] = InMemoryTransport.createLinkedPair()
  return { server, near, far }
}

function ofSecondGeneration() {
  const server = new McpServer2({ name: 'shop', version: '1.0.0' })
  server.registerTool('good', {}, () => good)
  server.registerTool('bad', {}, () => bad)
  const [near, far] = InMemoryTransport2.createLinkedPair()
  return { server, near, far }
}

test.each([
  ['1', ofFirstGeneration],
  ['2', ofSecondGeneration],
] as const)('a server of SDK %s is measured by one line: each tool, and what fails', async (_name, made) => {
  const { server, near, far } = made()
  const measured: string[] = []
  const { metrics } = instrumentMcpServer(server, {
    profiler: {
      measure: (name, fn) => {
        measured.push(name)
        return fn
      },
    },
  })
  await server.connect(near)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(far)
  await client.callTool({ name: 'good' })
  await client.callTool({ name: 'good' })
  await client.callTool({ name: 'bad' })
  await client.listTools()
  await client.readResource({ uri: 'nowhere:/' }).catch(() => {})
  await client.close()
  const { operations } = metrics.getReport()
  expect(Object.entries(operations).map(([name, { count, errors }]) => [name, count, errors])).toEqual([
    ['initialize', 1, 0],
    ['tools/call good', 2, 0],
    ['tools/call bad', 1, 1],
    ['tools/list', 1, 0],
    ['resources/read', 1, 1],
  ])
  expect(operations['tools/call bad']?.errorsByMessage).toEqual([{ message: 'out of stock', count: 1 }])
  expect(measured).toEqual(Object.keys(operations))
})
