import type { ProfileBuilder } from '../profile-builder.ts'
import { isObject, type JsonObject } from './json.ts'

/** Of an event: ids are numbers or strings in files; what is none counts as 0. */
export interface ThreadIds {
  pid: string
  tid: string
}

export function threadIdsOf(event: JsonObject): ThreadIds {
  return { pid: idOf(event.pid), tid: idOf(event.tid) }
}

function idOf(id: unknown): string {
  return typeof id === 'number' || typeof id === 'string' ? String(id) : '0'
}

/** The names that metadata events give to processes and threads. */
export class TraceThreads {
  private readonly processNames = new Map<string, string>()
  private readonly threadNames = new Map<string, string>()

  /** Takes the name out of a metadata event; the last one for a thread counts. */
  name(event: JsonObject): void {
    const name = isObject(event.args) ? event.args.name : undefined
    if (typeof name !== 'string' || name === '') return
    const { pid, tid } = threadIdsOf(event)
    if (event.name === 'process_name') this.processNames.set(pid, name)
    if (event.name === 'thread_name') this.threadNames.set(`${pid} ${tid}`, name)
  }

  labelSet(builder: ProfileBuilder, { pid, tid }: ThreadIds): number {
    return builder.labelSet([
      ['process', named(this.processNames.get(pid), pid)],
      ['thread', named(this.threadNames.get(`${pid} ${tid}`), tid)],
    ])
  }
}

function named(name: string | undefined, id: string): string {
  return name === undefined ? id : `${name} ${id}`
}
