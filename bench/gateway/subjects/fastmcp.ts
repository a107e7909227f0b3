import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { benchTools } from '../tools.ts'
import { freePort } from '../../../tests/free-port.ts'
import { givenWorld, report } from './process.ts'
import { restCaller } from './rest-call.ts'

// The framework of that name, without sessions, with the tools in the same process.
const { peersFolder, ...world } = givenWorld()
const callRest = await restCaller(world)

interface FastMcp {
  addTool(tool: object): void
  start(options: object): Promise<void>
}
const { FastMCP }: { FastMCP: new (options: object) => FastMcp } = await import(
  pathToFileURL(join(peersFolder, 'node_modules/fastmcp/dist/FastMCP.js')).href
)
const server = new FastMCP({ name: 'bench', version: '1.0.0' })
for (const { name, title, description, annotations, shape } of benchTools()) {
  server.addTool({
    name,
    description,
    annotations: { title, ...annotations },
    parameters: z.object(shape()),
    execute: async (input: unknown) => JSON.parse(await callRest(name, input)),
  })
}
const port = await freePort()
await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1', stateless: true } })
report(`http://127.0.0.1:${port}`)
