import { newQuickJSWASMModule } from 'quickjs-emscripten'
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten'
import { ActionFailure } from '../action-failure.ts'
import type { Value } from '../program/compiled-template.ts'
import type { Received } from '../response/received.ts'

const memoryBytes = 32_000_000
const stackBytes = 128_000
/** Of a body that a script sees, and of a value that it sets. */
const textCharactersMax = 4_000_000
/** Of promises, before the time is looked at again. */
const jobsAtOnce = 1000

/** What a script may ask for; nothing else of the world outside is there. */
export interface ScriptHost {
  /** For messages. */
  name: string
  /** Of processor time. */
  timeoutMs: number
  get: (name: string) => Value | undefined
  set: (name: string, value: Value) => void
  say: (line: string) => void
  /** Of the last request; null where there was none. */
  response: Received | null
  /** Called now and then while it runs: it is busy, and has not stopped. */
  pulse: () => void
}

/**
 * What scripts find in their world. The host's functions speak JSON.
 *
 * `vars.get(name)` gives a text, an array of texts, or undefined; `vars.set(name, value)` takes these, numbers and booleans.
 * `response` is null, or has `url`, `status`, `headers` (by names in lower case) and `body`.
 */
const world = `(function (get, set, say, response, body) {
  const text = (value) => typeof value === 'string' ? value : JSON.stringify(value) ?? String(value)
  const plain = (value) => {
    if (['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return String(value)
    throw new TypeError('A variable holds a text, a number, a boolean, or an array of them, and no ' + typeof value + '.')
  }
  const log = (...values) => say(values.map(text).join(' '))
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, enumerable: true })
  define('vars', Object.freeze({
    get: (name) => { const json = get(String(name)); return json === undefined ? undefined : JSON.parse(json) },
    set: (name, value) => set(String(name), JSON.stringify(Array.isArray(value) ? value.map(plain) : plain(value))),
  }))
  define('console', Object.freeze({ log, info: log, warn: log, error: log, debug: log }))
  const answer = response === undefined ? null : JSON.parse(response)
  if (answer !== null) Object.defineProperty(answer, 'body', { get: body, enumerable: true })
  define('response', answer === null ? null : Object.freeze(answer))
})`

let engine: Promise<QuickJSWASMModule> | undefined

/**
 * Runs a script that nobody vouches for, in a JavaScript engine inside WebAssembly, with nothing of ours within its reach.
 * @throws ActionFailure with the line, when it throws, runs too long or wants too much memory
 */
export async function runScript(source: string, host: ScriptHost): Promise<void> {
  const runtime = (await (engine ??= newQuickJSWASMModule())).newRuntime()
  runtime.setMemoryLimit(memoryBytes)
  runtime.setMaxStackSize(stackBytes)
  const started = cpuMs()
  let isLate = false
  const lookAtTime = () => {
    host.pulse()
    isLate ||= cpuMs() - started > host.timeoutMs
    return isLate
  }
  runtime.setInterruptHandler(lookAtTime)
  const context = runtime.newContext()
  let words: string | undefined
  let isBroken = false
  try {
    let thrown = openWorld(context, host) ?? evaluate(context, source)
    while (thrown === undefined && !lookAtTime() && runtime.hasPendingJob())
      thrown = runtime.executePendingJobs(jobsAtOnce).error
    if (thrown !== undefined) words = wordsOfThrown(context, thrown)
    if (!isLate) {
      context.dispose()
      runtime.dispose()
    }
  } catch (error) {
    // The stack of this thread, before that of the script; or what the engine found in itself when it was cleared up.
    const isOverflow = error instanceof RangeError
    if (!isOverflow && !(error instanceof Error && error.name === 'RuntimeError')) throw error
    if (isOverflow) words = ': it calls itself too often (stack overflow)'
    isBroken = true
  }
  // Interrupted code leaves things behind, at which the engine would take itself down: it is left to the garbage collector.
  if (isLate || isBroken) engine = undefined
  // What is interrupted in a promise rejects it, and nobody hears of that.
  if (isLate)
    throw new ActionFailure(
      `The script “${host.name}” ran for more than ${host.timeoutMs} ms of processor time.`,
    )
  if (words !== undefined) throw new ActionFailure(`The script “${host.name}” failed${words}`)
}

/** Gives what was thrown, if anything was. */
function evaluate(context: QuickJSContext, source: string): QuickJSHandle | undefined {
  const result = context.evalCode(source, 'script.js', { type: 'global' })
  if (result.error) return result.error
  result.value.dispose()
  return undefined
}

function openWorld(context: QuickJSContext, host: ScriptHost): QuickJSHandle | undefined {
  const text = (value: string | undefined) =>
    value === undefined ? context.undefined : context.newString(value)
  const made = context.evalCode(world, 'world.js')
  if (made.error) return made.error
  const { response } = host
  const handles = [
    context.newFunction('get', (name) => {
      const value = host.get(context.getString(name))
      return text(value === undefined ? undefined : JSON.stringify(value))
    }),
    context.newFunction('set', (name, json) => {
      const variable = context.getString(name)
      if (!/^[A-Za-z_][\w.-]{0,79}$/.test(variable))
        throw new TypeError(`${variable.slice(0, 100)} is no name of a variable.`)
      const value = context.getString(json)
      if (value.length > textCharactersMax) throw new RangeError(`The value of ${variable} is too long.`)
      const parsed: Value = JSON.parse(value)
      host.set(variable, parsed)
    }),
    context.newFunction('say', (line) => host.say(context.getString(line))),
    text(response === null ? undefined : describe(response)),
    context.newFunction('body', () => context.newString(response?.text.slice(0, textCharactersMax) ?? '')),
  ]
  const opened = context.callFunction(made.value, context.undefined, ...handles)
  for (const handle of [made.value, ...handles]) handle.dispose()
  if (opened.error) return opened.error
  opened.value.dispose()
  return undefined
}

function describe(response: Received): string {
  const headers: Record<string, string> = {}
  for (const { name, value } of response.headers) {
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  return JSON.stringify({ url: response.url, status: response.status, headers })
}

/** ` at line 3: TypeError: …`. */
function wordsOfThrown(context: QuickJSContext, handle: QuickJSHandle): string {
  const thrown: unknown = context.dump(handle)
  handle.dispose()
  if (typeof thrown !== 'object' || thrown === null)
    return `: it threw ${JSON.stringify(thrown)?.slice(0, 500)}`
  const part = (key: string) => String(Reflect.get(thrown, key) ?? '')
  const line = /script\.js:(\d+)/.exec(part('stack'))?.[1]
  const isMemory = part('message') === 'out of memory'
  const words = isMemory
    ? `it needs more than ${memoryBytes / 1e6} MB of memory`
    : `${part('name')}: ${part('message')}`
  return `${line === undefined ? '' : ` at line ${line}`}: ${words.slice(0, 1000)}`
}

/** Of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
