import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { nodeToRunOn } from './prepare.mjs'
import { inRoot, root } from './paths.mjs'
import { giveUp } from './say.mjs'

/**
 * Runs a program on our Node.js with our input and output, and ends as it ends. One Ctrl-C reaches it as one signal,
 * although the terminal sends it to npm and to us, and npm sends it to us again: the program is in a process group of
 * its own, and signals that come close together are one.
 * @param {readonly string[]} args of node
 */
export function handOver(args) {
  const child = spawn(nodeToRunOn(), args, {
    cwd: root,
    stdio: 'inherit',
    // What was compiled is kept, for all processes below: nearly half of the time that a start takes.
    env: { NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'compiled'), ...process.env },
    detached: process.platform !== 'win32',
  })
  let lastSignalAt = 0
  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    if (Date.now() - lastSignalAt < 1_000) return
    lastSignalAt = Date.now()
    child.kill(signal)
  }
  process.on('SIGINT', passOn)
  process.on('SIGTERM', passOn)
  // A closed terminal is as good a reason to stop as any, and the program knows about stopping.
  process.on('SIGHUP', () => passOn('SIGTERM'))
  stopWithNpm(() => passOn('SIGTERM'))
  child.on('error', (error) => giveUp(`Node.js could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0))
  })
}

/**
 * A signal to npm alone ends npm and the shell between us, and would leave us behind without a word.
 * @param {() => void} stop
 */
function stopWithNpm(stop) {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    stop()
  }, 500)
}
