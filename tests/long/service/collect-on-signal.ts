// Loaded before a process of the service (`--import`): at SIGUSR2 it collects all its garbage, and writes what is left to the file
// `<its id>.json` in the folder that COLLECTED_FOLDER names. What a process holds without that is also how lazy V8 was.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const folder = process.env['COLLECTED_FOLDER']
if (isMainThread && folder !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new TypeError('This Node.js has no gc()')
  process.on('SIGUSR2', () => {
    // Also code that was compiled and is not used, which a usual collection keeps for some time.
    collect({ type: 'major', flavor: 'last-resort' })
    const { heapUsed, external } = process.memoryUsage()
    const file = join(folder, `${process.pid}.json`)
    writeFileSync(`${file}.part`, JSON.stringify({ liveBytes: heapUsed + external }))
    renameSync(`${file}.part`, file)
  })
}
