import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** All that a process gets of our environment, which has passwords in it. */
const passedOn = [
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'TZ',
]

/** The environment of a process that does what others wrote. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(passedOn.map((name) => [name, process.env[name]]))
}

/** Calls back when a process has ended, and all that it said was heard. */
export function whenGone(
  child: ChildProcess,
  then: (code: number | null, killedBy: NodeJS.Signals | null) => void,
): void {
  child.once('close', (code, killedBy) => {
    if (child.connected) child.once('disconnect', () => then(code, killedBy))
    else then(code, killedBy)
  })
}

/** Ends a process, if it has not ended. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

const wordsMax = 2000

/** What a process says of its own end. */
export function lastWords(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = `${words}${text}`.slice(-wordsMax)
  })
  return () => words
}
