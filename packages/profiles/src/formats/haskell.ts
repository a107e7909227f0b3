import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { readHaskellReport } from './haskell-report.ts'
import { internCostCentre, haskellSampleTypes } from './haskell-cost-centre.ts'
import { isObject, JsonReader, type JsonObject } from './json.ts'

const format = 'haskell'

/**
 * What programs write that GHC compiled for profiling: `+RTS -pj` (JSON, GHC 8.2 and later), `+RTS -p` and `-P` (text, GHC 6
 * and later). https://downloads.haskell.org/ghc/latest/docs/users_guide/profiling.html
 *
 * Cost centres are functions, `Module.label`, in the file and line where they start, and their stacks are the tree. `samples`
 * are ticks of the profiler's clock, `cpu` is ticks times their interval, `alloc_space` bytes; calls are entries.
 *
 * The text of `-p` has percentages of the totals to one decimal, of which values are worked out; `-P` has both numbers. The
 * list of the most expensive cost centres before the tree says nothing more and is not read.
 */
export const haskell: Importer = {
  format,
  recognizes: ({ head, jsonObject }) =>
    head.slice(0, 2000).includes('Time and Allocation Profiling Report') ||
    (Array.isArray(jsonObject?.cost_centres) && isObject(jsonObject.profile)),
  read: (file, options) =>
    file.jsonObject === undefined && file.jsonError === undefined
      ? readHaskellReport(file.bytes, options)
      : readJson(file.needJsonObject(format), options),
}

function readJson(document: JsonObject, { maxNodes }: ImportOptions): ImportedProfile {
  const json = new JsonReader(format)
  const tickNanoseconds = json.number(document.tick_interval, '$.tick_interval') * 1000
  const totalTicks = json.number(document.total_ticks, '$.total_ticks')
  const builder = new ProfileBuilder({
    format,
    ...haskellSampleTypes(totalTicks),
    maxNodes,
    countsCalls: true,
  })
  const functions = new Map<number, number>()
  for (const [index, value] of json.array(document.cost_centres, '$.cost_centres').entries()) {
    const path = `$.cost_centres[${index}]`
    const centre = json.object(value, path)
    const functionIndex = internCostCentre(builder.functions, {
      module: json.string(centre.module, `${path}.module`),
      label: json.string(centre.label, `${path}.label`),
      source: typeof centre.src_loc === 'string' ? centre.src_loc : '',
    })
    functions.set(json.number(centre.id, `${path}.id`), functionIndex)
  }

  // Nested objects, walked with a list of our own: stacks may be deeper than the JavaScript stack.
  const pending = [{ value: document.profile, parent: 0, path: '$.profile' }]
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { value, parent, path } = entry
    const stack = json.object(value, path)
    const functionIndex =
      functions.get(json.number(stack.id, `${path}.id`)) ?? json.fail('no such cost centre', `${path}.id`)
    const node = builder.child(parent, functionIndex)
    const ticks = json.number(stack.ticks, `${path}.ticks`)
    const values = [ticks, ticks * tickNanoseconds, json.number(stack.alloc, `${path}.alloc`)]
    const entries = json.number(stack.entries, `${path}.entries`)
    if (entries < 0 || values.some((number) => number < 0)) json.fail('expected no negative numbers', path)
    builder.add(node, values, { sampleCount: ticks })
    builder.addCalls(node, entries)
    const children = stack.children === undefined ? [] : json.array(stack.children, `${path}.children`)
    const name = path.length < 200 ? path : `cost centre ${String(stack.id)}`
    for (let index = children.length - 1; index >= 0; index--)
      pending.push({ value: children[index], parent: node, path: `${name}.children[${index}]` })
  }
  const seconds = document.total_time
  return builder.finish({
    durationMs: typeof seconds === 'number' ? seconds * 1000 : undefined,
    // A program may end before its first tick, and has allocated all the same.
    ...(totalTicks > 0 ? {} : { sampleCount: 1 }),
    warnings: [],
  })
}
