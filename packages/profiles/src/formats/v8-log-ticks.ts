import type { ProfileBuilder } from '../profile-builder.ts'
import { ScriptFunctions } from '../symbols/script-functions.ts'
import type { SourceMaps } from '../symbols/source-maps.ts'
import { parseV8Name } from './v8-log-names.ts'

/** Code that a tick can be in. */
export interface V8Code {
  /** `js`: a function `name file:line:column`. `library`: the path of a binary. `native`: a symbol of one. `stub`: V8's own. */
  kind: 'js' | 'library' | 'native' | 'stub'
  name: string
  /** Which compiler made it; of JavaScript only. */
  tier?: string | undefined
  /** In the profile; set when it is first needed. */
  functionIndex?: number
}

type V8State = 'js' | 'gc' | 'parser' | 'bytecode compiler' | 'compiler' | 'idle' | 'other'

/** Before V8 6.2. */
const oldStates: readonly V8State[] = ['js', 'gc', 'compiler', 'other', 'other', 'idle']
/** 7 was IDLE, and is a wait for other threads since IDLE is 8; 9 is writing this log, 10 idle in a callback. */
const states: readonly V8State[] = [
  'js',
  'gc',
  'parser',
  'bytecode compiler',
  'compiler',
  'other',
  'other',
  'idle',
  'idle',
  'other',
  'idle',
]

/** V8's `StateTag`, which it writes as a number. */
export function v8State(state: number, isOld: boolean): V8State {
  return (isOld ? oldStates : states)[state] ?? 'other'
}

const frameOfState: Readonly<Record<V8State, string>> = {
  js: '(program)',
  other: '(program)',
  gc: '(garbage collector)',
  parser: '(parser)',
  'bytecode compiler': '(bytecode compiler)',
  compiler: '(compiler)',
  idle: '(idle)',
}

/** Adds ticks to a profile, one after the other; each lasts until the next. */
export class V8Ticks {
  count = 0
  lastUs = 0
  hasIdle = false
  private readonly builder: ProfileBuilder
  private readonly scripts: ScriptFunctions
  private previous: { node: number; timeUs: number; labelSet: number; isIdle: boolean } | undefined

  constructor(builder: ProfileBuilder, sourceMaps: SourceMaps | undefined) {
    this.builder = builder
    this.scripts = new ScriptFunctions(builder.functions, sourceMaps)
  }

  /** `stack` is innermost first; undefined where nothing is known of an address. */
  add(timeUs: number, state: V8State, stack: readonly (V8Code | undefined)[]): void {
    const time = Math.max(this.lastUs, timeUs)
    this.flush(time)
    this.lastUs = time
    const [leaf] = stack
    const isNativeLeaf = leaf === undefined || leaf.kind === 'library' || leaf.kind === 'native'
    const hasScript = stack.some((code) => code?.kind === 'js')
    let node = 0
    for (let index = stack.length - 1; index >= (isNativeLeaf ? 1 : 0); index--) {
      const code = stack[index]
      if (code !== undefined) node = this.child(node, code)
    }
    // What V8 itself does is on top of the script that made it do so, as DevTools shows it.
    const ownFrame = state === 'js' || state === 'other' ? (hasScript ? undefined : node === 0) : true
    if (ownFrame) node = this.builder.child(node, this.builder.functions.intern(frameOfState[state]))
    if (leaf !== undefined && isNativeLeaf) node = this.child(node, leaf)
    else if (leaf === undefined && !ownFrame)
      node = this.builder.child(node, this.builder.functions.intern('[unknown]'))
    const tier = stack.find((code) => code?.kind === 'js')?.tier
    const labelSet = tier === undefined ? 0 : this.builder.labelSet([['tier', tier]])
    this.previous = { node, timeUs: time, labelSet, isIdle: state === 'idle' }
    this.count++
  }

  /** The last tick lasts as long as ticks are apart. */
  finish(intervalUs: number): void {
    this.flush(this.lastUs + intervalUs)
  }

  private flush(untilUs: number): void {
    if (this.previous === undefined) return
    const { node, timeUs, labelSet, isIdle } = this.previous
    const wall = (untilUs - timeUs) * 1000
    if (isIdle) this.hasIdle = true
    this.builder.add(node, [1, wall, isIdle ? 0 : wall], { labelSet, timeMs: timeUs / 1000 })
  }

  private child(parent: number, code: V8Code): number {
    if (code.functionIndex === undefined) {
      code.functionIndex = this.scripts.intern(parseV8Name(code))
    }
    return this.builder.child(parent, code.functionIndex)
  }
}
