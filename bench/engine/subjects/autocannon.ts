// autocannon, warmed up in the same process: `autocannon.ts <its folder> <url> <connections> <seconds>`.
import { createRequire } from 'node:module'
import { cpuSecondsSince, tellFigures } from './figures.ts'

type Autocannon = (options: {
  url: string
  connections: number
  duration: number
}) => Promise<{ '2xx': number }>

const [folder = '', url = '', connections = '', seconds = ''] = process.argv.slice(2)
const autocannon: Autocannon = createRequire(import.meta.url)(folder)
const options = { url, connections: Number(connections), duration: Number(seconds) }
const first = await autocannon(options)
const before = process.cpuUsage()
const second = await autocannon(options)
const cpuSeconds = cpuSecondsSince(before)
const answered = first['2xx'] + second['2xx']
tellFigures({ requests: second['2xx'], cpuSeconds, answered, failed: 0, p50Ms: null, p99Ms: null })
