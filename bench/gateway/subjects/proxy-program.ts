import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from '../../../tests/free-port.ts'
import { givenWorld, report } from './process.ts'

// A program from the registry that puts a stdio server on the network, run inside this process so that it can be asked
// what it used. The stdio server calls the API, as everybody else does within the gateway, so its time counts too.
const { peersFolder, program, ...world } = givenWorld()
const port = await freePort()
const stdioServer = [
  process.execPath,
  fileURLToPath(new URL('stdio-tools.ts', import.meta.url)),
  JSON.stringify(world),
]

/** With what makes each of them fastest. */
const programs: Record<string, { file: string; args: string[] }> = {
  supergateway: {
    file: 'supergateway/dist/index.js',
    args: [
      '--stdio',
      stdioServer.map((word) => `'${word}'`).join(' '),
      '--outputTransport',
      'streamableHttp',
      '--stateful',
      '--port',
      String(port),
      '--logLevel',
      'none',
    ],
  },
  'mcp-proxy': {
    file: 'mcp-proxy/dist/bin/mcp-proxy.mjs',
    args: [
      '--stateless',
      '--no-eventStore',
      '--server',
      'stream',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--',
      ...stdioServer,
    ],
  },
}

const given = programs[program]
if (!given) throw new RangeError(`${program} is none of these programs`)
const { file, args } = given
const path = join(peersFolder, 'node_modules', file)
process.argv = [process.execPath, path, ...args]
await import(pathToFileURL(path).href)
await reachable(Date.now() + 30_000)
report(`http://127.0.0.1:${port}`, secondsOfChildren)

async function reachable(deadline: number): Promise<void> {
  const isOpen = await new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
  if (isOpen) return
  if (Date.now() > deadline) throw new Error(`${program} does not listen`)
  await pause(100)
  await reachable(deadline)
}

const ticksPerSecond = 100

/** User and system time of all processes below this one, from proc(5); 0 where there is no /proc. */
function secondsOfChildren(): number {
  return secondsBelow(String(process.pid))
}

function secondsBelow(pid: string): number {
  const listed = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(listed)) return 0
  const pids = readFileSync(listed, 'utf8').split(' ').filter(Boolean)
  // A shell may stand between.
  return pids.reduce((sum, each) => sum + secondsOf(each) + secondsBelow(each), 0)
}

function secondsOf(pid: string): number {
  // After the name, which may hold blanks; utime and stime are fields 14 and 15.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
