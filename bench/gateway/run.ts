// How many MCP requests one CPU-second of the gateway answers, beside servers of the official SDK and a bare proxy.
import { parseArgs } from 'node:util'
import { compareServers } from './compare-servers.ts'
import { measurePlatform } from './platform.ts'
import { printJson, printTable } from './report.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    profile: { type: 'string' },
    url: { type: 'string' },
    token: { type: 'string', default: '' },
  },
})
const secondsEach = Number(values.seconds)

if (values.url !== undefined) {
  await measurePlatform(values.url.replace(/\/+$/, ''), values.token, secondsEach)
} else {
  const options = { rounds: Number(values.rounds), secondsEach, connections: 16, profile: values.profile }
  const comparison = await compareServers(options)
  if (values.json) printJson(comparison)
  else printTable(comparison, options)
  if (values.profile !== undefined) {
    console.error(
      `\nA profile of ${values.profile} was written meanwhile, which slows it down: read no ratio of it.`,
    )
  }
}
