import { readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listeningPorts } from '../../load/listening-process.ts'
import { evaluate, openProcess, type InspectedProcess } from './open-process.ts'

const byHand = 'Start it with node --inspect, and say where that is: --inspect 9229.'
/** It opens at once, unless the program is busy. */
const patienceMs = 5000
const lookEveryMs = 50
const sigusr1 = 10

/**
 * The inspector of the process that listens at a URL: the one that is open, or one that it is told to open, by SIGUSR1, and that
 * is closed in the end.
 * @throws Error when there is none; `message` says why and what to do
 */
export async function inspectorOfProcess(pid: number | undefined, url: URL): Promise<InspectedProcess> {
  if (pid === undefined) throw new Error(`Its process is not known. ${byHand}`)
  const own = new Set([Number(url.port) || (url.protocol === 'https:' ? 443 : 80)])
  const open = await inspectorAmong(pid, await listeningPorts(pid), own)
  if (open !== undefined) return open
  const program = path.basename(await readlink(`/proc/${pid}/exe`).catch(() => ''))
  if (!/^node(js)?$/.test(program)) {
    throw new Error(`Process ${pid} is ${program || 'unknown'} and not Node.js.`)
  }
  // Whoever does not listen to the signal is ended by it, and who listens to it himself does something else.
  if (!(await listensToSigusr1(pid))) throw new Error(`Process ${pid} does not take SIGUSR1. ${byHand}`)
  process.kill(pid, 'SIGUSR1')
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs;) {
    await pause(lookEveryMs)
    const opened = await inspectorAmong(pid, await listeningPorts(pid), own)
    if (opened !== undefined) return { ...opened, close: () => closeInspector(opened) }
  }
  throw new Error(
    `Process ${pid} was told by SIGUSR1 to open its inspector, and did not, perhaps because port 9229 is taken. ${byHand}`,
  )
}

/** `tried` is what has been asked already, or must not be. */
async function inspectorAmong(
  pid: number,
  ports: readonly number[],
  tried: Set<number>,
): Promise<InspectedProcess | undefined> {
  for (const port of ports.filter((each) => !tried.has(each))) {
    tried.add(port)
    const found = await openProcess(String(port)).catch(() => undefined)
    if (found?.pid === pid) return found
    await found?.close()
  }
  return undefined
}

/** https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
async function listensToSigusr1(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'
  return (BigInt(`0x${caught}`) & (1n << BigInt(sigusr1 - 1))) !== 0n
}

/** To close it waits for all who are connected, so that it comes after us; then there is no `require` any more. */
async function closeInspector({ inspector }: InspectedProcess): Promise<void> {
  await evaluate(inspector, `void setTimeout(require('node:inspector').close, 100).unref()`)
  inspector.close()
}
