import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ProfileFile } from '../profile-file.ts'
import type { ImportedProfile } from '../profile.ts'
import { cpuSampleTypes, cpuType } from './cpuprofile.ts'
import { JsonReader, type JsonObject } from './json.ts'
import { readLog } from './v8-log-text.ts'
import { v8State, V8Ticks, type V8Code } from './v8-log-ticks.ts'

/**
 * The log of V8's tick profiler, `isolate-….log` as `node --prof` writes it (V8 5.8 and later, seen from Node.js 8 to 24),
 * and what `node --prof-process --preprocess` makes of it, which also knows symbols of binaries.
 * https://v8.dev/docs/profile, and `tools/tickprocessor.mjs` in V8
 *
 * Sample types as of a `cpuprofile`: `samples`, `wall` and, by default, `cpu`, in which idle ticks have none. A tick lasts
 * until the next one.
 * - Functions are named as in a `.cpuprofile`. How the innermost one was compiled is the label `tier`: `ignition`
 *   (interpreted), `sparkplug`, `maglev`, `turbofan`.
 * - What V8 did while the tick came is a frame on top of the script's: `(garbage collector)`, `(compiler)`,
 *   `(bytecode compiler)`, `(parser)`, `(idle)`; without a script it is below `(program)`.
 * - Native code is told by its symbol if it has one, else by its binary, `[libc.so.6]`. Where nothing is known of an address,
 *   an innermost frame is `[unknown]`, and another one is left out, as `node --prof-process` does.
 * - V8's own code is told as `Builtin: ArrayMap`, `Stub: …`, `LoadIC: …`; handlers of bytecodes are left out, because the
 *   function that is interpreted is there, too.
 */
export const v8Log: Importer = {
  format: 'v8_log',
  recognizes: (file) => isPreprocessed(file.jsonObject) || isLog(file.head),
  read: (file, options) => readV8Log(file, options),
}

/** The first lines are about the version, then about libraries; old versions begin with these. */
function isLog(head: string): boolean {
  return (
    /^(v8-version,\d|shared-library,"?\/|profiler,"?begin)/.test(head) || /^code-creation,\w+,\d+,/.test(head)
  )
}

function isPreprocessed(json: JsonObject | undefined): json is JsonObject {
  return (
    json !== undefined &&
    Array.isArray(json.code) &&
    Array.isArray(json.ticks) &&
    Array.isArray(json.functions)
  )
}

function readV8Log(file: ProfileFile, { maxNodes, sourceMaps }: ImportOptions): ImportedProfile {
  const builder = new ProfileBuilder({
    format: 'v8_log',
    sampleTypes: cpuSampleTypes.map((sampleType) => ({ ...sampleType })),
    defaultSampleTypeIndex: cpuType,
    maxNodes,
  })
  const ticks = new V8Ticks(builder, sourceMaps)
  const warnings = isPreprocessed(file.jsonObject)
    ? readPreprocessed(file.jsonObject, ticks)
    : readLog(file.bytes, ticks)
  if (ticks.hasIdle) warnings.push('Idle time counts as wall time, not as CPU time.')
  return builder.finish({ durationMs: ticks.lastUs / 1000, warnings })
}

/** `code: [{ name, type, kind? }]`, `ticks: [{ tm, vm, s: [index in code or -1, offset or address, …] }]`, innermost first. */
function readPreprocessed(document: JsonObject, ticks: V8Ticks): string[] {
  const json = new JsonReader('v8_log')
  const code = json
    .array(document.code, '$.code')
    .map((value, index) => readCode(json, value, `$.code[${index}]`))
  // Scripts came after the states had changed.
  const isOld = document.scripts === undefined
  for (const [index, value] of json.array(document.ticks, '$.ticks').entries()) {
    const path = `$.ticks[${index}]`
    const tick = json.object(value, path)
    const cells = json.array(tick.s, `${path}.s`)
    const stack: (V8Code | undefined)[] = []
    for (let cell = 0; cell < cells.length; cell += 2) {
      const entry = code[json.number(cells[cell], `${path}.s[${cell}]`)]
      if (entry !== 'hidden') stack.push(entry)
    }
    ticks.add(json.number(tick.tm, `${path}.tm`), v8State(json.number(tick.vm, `${path}.vm`), isOld), stack)
  }
  ticks.finish(0)
  return []
}

const tierOfKind: Readonly<Record<string, string>> = {
  Unopt: 'ignition',
  Sparkplug: 'sparkplug',
  Baseline: 'sparkplug',
  Maglev: 'maglev',
  Opt: 'turbofan',
}

function readCode(json: JsonReader, value: unknown, path: string): V8Code | 'hidden' {
  const { name: given, type, kind } = json.object(value, path)
  const name = json.string(given, `${path}.name`)
  if (type === 'JS')
    return { kind: 'js', name, tier: typeof kind === 'string' ? tierOfKind[kind] : undefined }
  if (type === 'SHARED_LIB') return { kind: 'library', name }
  if (type === 'CPP') return { kind: 'native', name }
  if (kind === 'BytecodeHandler') return 'hidden'
  return { kind: 'stub', name: typeof kind === 'string' ? `${kind}: ${name}` : name }
}
