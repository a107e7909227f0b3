import { readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'

/** A process, and what program it runs: `java`, `node`. */
export interface RunningProgram {
  pid: number
  program: string
}

/** A process and all that it has started, it first. Linux only; elsewhere it is not known what they run. */
export async function processesBelow(pid: number): Promise<RunningProgram[]> {
  const program = path.basename(await readlink(`/proc/${pid}/exe`).catch(() => ''))
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  const below = await Promise.all(children.map(processesBelow))
  return [{ pid, program }, ...below.flat()]
}
