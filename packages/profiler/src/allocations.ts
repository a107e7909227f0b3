import type { LiveItem, LivePush } from '@flamegate/live'
import { liveLimits } from '@flamegate/live/limits'
import { plainText } from '@flamegate/live/plain-text'
import { Session } from 'node:inspector'
import type { HeapProfiler } from 'node:inspector'
import type { AllocationOptions } from './profiler.ts'

type Section = NonNullable<NonNullable<LivePush['sections']>['functions_alloc']>

const sampledEveryBytes = 128 * 1024
const functionsMax = 200
/** Our wrappers stand on the stack above what they measure. */
const ownFolder = new URL('.', import.meta.url).href

/**
 * Which functions allocated what is still in use, by V8's sampling heap profiler. What a call changes of the heap's size would be
 * easier to have, and would say nothing: other calls, and garbage collection, change it meanwhile.
 */
export class AllocationsMeter {
  readonly #session = new Session()
  readonly #timer: NodeJS.Timeout
  readonly #ids = new Map<string, string>()
  #section: Section = { status: 'on', items: [] }

  constructor({ everyMs }: AllocationOptions) {
    this.#session.connect()
    this.#post('HeapProfiler.startSampling', { samplingInterval: sampledEveryBytes })
    this.#timer = setInterval(() => this.#look(), everyMs).unref()
  }

  /** As it was when the heap was read last. */
  read(): Section {
    return this.#section
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#session.disconnect()
  }

  #post(method: 'HeapProfiler.startSampling', parameters: HeapProfiler.StartSamplingParameterType): void {
    this.#session.post(method, parameters, (error) => {
      if (error !== null) this.#section = { status: 'failed', reason: error.message }
    })
  }

  #look(): void {
    this.#session.post('HeapProfiler.getSamplingProfile', (error, found) => {
      this.#section =
        error === null
          ? { status: 'on', ...this.#itemsOf(found.profile.head) }
          : { status: 'failed', reason: error.message }
    })
  }

  #itemsOf(head: HeapProfiler.SamplingHeapProfileNode): { items: LiveItem[]; left_out?: number } {
    const functions = retainedByFunction(head)
    const largest = functions.toSorted((a, b) => b.bytes - a.bytes).slice(0, functionsMax)
    const leftOut = functions.length - largest.length
    return {
      items: largest.map(({ key, name, file, line, bytes }) => ({
        id: this.#idOf(key),
        name,
        ...(file !== '' && { place: { file, line } }),
        levels: { retained: bytes },
      })),
      ...(leftOut > 0 && { left_out: leftOut }),
    }
  }

  #idOf(key: string): string {
    const there = this.#ids.get(key)
    if (there !== undefined) return there
    const id = String(this.#ids.size)
    this.#ids.set(key, id)
    return id
  }
}

export interface Retained {
  key: string
  name: string
  file: string
  line: number
  bytes: number
}

/** What built-in functions and those of Node.js allocate counts for the function of the program that called them. */
export function retainedByFunction(head: HeapProfiler.SamplingHeapProfileNode): Retained[] {
  const found = new Map<string, Retained>()
  const outside: Retained = { key: '', name: 'Node.js itself', file: '', line: 0, bytes: 0 }
  const left = [{ node: head, owner: outside }]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    const { functionName, url, lineNumber, columnNumber } = each.node.callFrame
    let { owner } = each
    if (url !== '' && !url.startsWith('node:') && !url.startsWith(ownFolder)) {
      const key = `${url}:${lineNumber}:${columnNumber}`
      owner = found.get(key) ?? {
        key,
        name: plainText(functionName, liveLimits.nameMax) || 'anonymous',
        file: url.replace(/^file:\/\//, '').slice(0, 1000),
        line: lineNumber + 1,
        bytes: 0,
      }
      found.set(key, owner)
    }
    owner.bytes += each.node.selfSize
    for (const node of each.node.children) left.push({ node, owner })
  }
  return [outside, ...found.values()].filter(({ bytes }) => bytes > 0)
}
