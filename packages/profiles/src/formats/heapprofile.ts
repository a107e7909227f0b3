import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { ScriptFunctions } from '../symbols/script-functions.ts'
import { isObject, JsonReader, type JsonObject } from './json.ts'
import { readCallFrame } from './v8-call-frame.ts'

/**
 * A V8 sampling heap profile (`node --heap-prof`, Chrome DevTools): memory in use when the profile was taken, by the stack
 * that allocated it. `selfSize` is V8's estimate from its samples, in bytes.
 * https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/#type-SamplingHeapProfile
 */
export const heapprofile: Importer = {
  format: 'heapprofile',
  recognizes: ({ jsonObject }) => isObject(jsonObject?.head) && 'selfSize' in jsonObject.head,
  read: (file, options) => readHeapProfile(file.needJsonObject('heapprofile'), options),
}

function readHeapProfile(document: JsonObject, { maxNodes, sourceMaps }: ImportOptions): ImportedProfile {
  const json = new JsonReader('heapprofile')
  const builder = new ProfileBuilder({
    format: 'heapprofile',
    sampleTypes: [{ type: 'inuse_space', unit: 'bytes' }],
    maxNodes,
  })
  const scripts = new ScriptFunctions(builder.functions, sourceMaps)

  // Nested objects, walked with a list of our own: stacks may be deeper than the JavaScript stack.
  const pending = [{ value: document.head, parent: -1, path: '$.head' }]
  let nodesWithMemory = 0
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { value, parent, path } = entry
    const node = json.object(value, path)
    const frame = json.object(node.callFrame, `${path}.callFrame`)
    const placed =
      parent === -1
        ? 0
        : builder.child(parent, scripts.intern(readCallFrame(json, frame, `${path}.callFrame`)))
    const selfSize = json.number(node.selfSize, `${path}.selfSize`)
    if (selfSize !== 0) {
      nodesWithMemory++
      builder.add(placed, [selfSize])
    }
    const children = node.children === undefined ? [] : json.array(node.children, `${path}.children`)
    const name = typeof node.id === 'number' ? `node ${node.id}` : path.length < 200 ? path : '…'
    for (let index = children.length - 1; index >= 0; index--) {
      pending.push({ value: children[index], parent: placed, path: `${name}.children[${index}]` })
    }
  }
  if (nodesWithMemory === 0) json.fail('the profile holds no samples', '$.head')

  return builder.finish({
    sampleCount: Array.isArray(document.samples) ? document.samples.length : nodesWithMemory,
    warnings: [],
  })
}
