import { CallTreeBuilder } from '../call-tree-builder.ts'
import { FunctionInterner } from '../function-interner.ts'
import type { Profile } from '../profile.ts'
import { JsonReader, type JsonObject } from './json.ts'
import { internCallFrame } from './v8-call-frame.ts'

/**
 * Reads a V8 sampling heap profile (`node --heap-prof`, Chrome DevTools), already parsed: memory in use when
 * the profile was taken, by the stack that allocated it. `selfSize` is V8's estimate from its samples, in bytes.
 * https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/#type-SamplingHeapProfile
 */
export function readHeapProfile(document: JsonObject, options: { maxNodes?: number }): Profile {
  const json = new JsonReader('heapprofile')
  const functions = new FunctionInterner()
  const builder = new CallTreeBuilder({
    sampleTypeCount: 1,
    maxNodes: options.maxNodes,
    format: 'heapprofile',
  })

  // Nested objects, walked with a list of our own: stacks may be deeper than the JavaScript stack.
  const pending = [{ value: document.head, parent: -1, path: '$.head' }]
  let nodesWithMemory = 0
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { value, parent, path } = entry
    const node = json.object(value, path)
    const frame = json.object(node.callFrame, `${path}.callFrame`)
    const placed =
      parent === -1 ? 0 : builder.child(parent, internCallFrame(functions, json, frame, `${path}.callFrame`))
    const selfSize = json.number(node.selfSize, `${path}.selfSize`)
    if (selfSize !== 0) nodesWithMemory++
    builder.add(placed, 0, selfSize)
    const children = node.children === undefined ? [] : json.array(node.children, `${path}.children`)
    const name = typeof node.id === 'number' ? `node ${node.id}` : path.length < 200 ? path : '…'
    for (let index = children.length - 1; index >= 0; index--) {
      pending.push({ value: children[index], parent: placed, path: `${name}.children[${index}]` })
    }
  }
  if (nodesWithMemory === 0) json.fail('the profile holds no samples', '$.head')

  return {
    format: 'heapprofile',
    sampleTypes: [{ type: 'inuse_space', unit: 'bytes' }],
    defaultSampleTypeIndex: 0,
    sampleCount: Array.isArray(document.samples) ? document.samples.length : nodesWithMemory,
    functions: functions.finish(),
    ...builder.finish(),
    labels: [],
    threads: [],
    warnings: [],
  }
}
