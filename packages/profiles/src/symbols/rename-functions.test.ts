import { expect, test } from 'vitest'
import { ProfileBuilder } from '../profile-builder.ts'
import { selfValuesOf, type ImportedProfile } from '../profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { demangleProfile } from './demangle-profile.ts'
import { renameFunctions } from './rename-functions.ts'

/** Two builds of `read` below `main`, at lines 3 and 5 of their file, in two threads; each calls `copy`. */
function profileOfBuilds(): ImportedProfile {
  const builder = new ProfileBuilder({
    format: 'perf_script',
    sampleTypes: [
      { type: 'cycles', unit: 'count' },
      { type: 'samples', unit: 'count' },
    ],
    countsCalls: true,
  })
  const { functions } = builder
  const main = functions.intern('main', 'main.rs')
  const copy = functions.intern('copy', 'main.rs')
  const builds = ['read17h1', 'read17h2'].map((name) => functions.intern(name, 'main.rs'))
  for (const [index, build] of builds.entries()) {
    const labelSet = builder.labelSet([['thread', `worker ${index}`]])
    const stack = [main, build]
    const add = (functionIndexes: number[], lines: number[], value: number) =>
      builder.addStack({ functionIndexes, lines, depth: lines.length }, [value, 1], {
        labelSet,
        timeMs: value,
      })
    builder.addCalls(add(stack, [1, 3], 10 + index), 2)
    add([...stack, copy], [1, 5, 7], 20 + index)
  }
  return builder.finish({ warnings: [] })
}

const shortNames = ['main', 'copy', 'read', 'read']

test('functions that are called alike become one, with all they have', () => {
  const before = profileOfBuilds()
  const after = renameFunctions(before, shortNames)
  expect(drawTree(after)).toEqual(['main 62/0', '  read 62/21', '    copy 41/41'])
  expect(drawTree(after, 1)).toEqual(['main 4/0', '  read 4/2', '    copy 2/2'])
  expect(after.functions.names).toEqual(['main', 'copy', 'read'])
  expect([...(after.nodes.calls ?? [])]).toEqual([0, 0, 4, 0])
  expect(after.threads).toEqual(before.threads)
})

test('labels, times and lines are those of the places that are left', () => {
  const { nodes, detail } = renameFunctions(profileOfBuilds(), shortNames)
  expect([...nodes.functionIndexes]).toEqual([-1, 0, 2, 1])
  expect(detail?.timeline?.nodes).toEqual(Int32Array.of(2, 2, 3, 3))
  expect(detail?.labelled).toEqual({
    nodes: Int32Array.of(2, 2, 3, 3),
    labelSetIndexes: Int32Array.of(1, 2, 1, 2),
    values: [Float64Array.of(10, 11, 20, 21), Float64Array.of(1, 1, 1, 1)],
  })
  expect(detail?.lines).toEqual({
    nodes: Int32Array.of(1, 2, 2, 3),
    lines: Int32Array.of(1, 3, 5, 7),
    selfValues: [Float64Array.of(0, 21, 0, 41), Float64Array.of(0, 2, 0, 2)],
    totalValues: [Float64Array.of(62, 21, 41, 41), Float64Array.of(4, 2, 2, 2)],
  })
})

test('a tree in which nothing becomes one keeps its places', () => {
  const before = profileOfBuilds()
  const after = renameFunctions(before, ['start', 'copy', 'read a', 'read b'])
  expect(after.nodes).toBe(before.nodes)
  expect(drawTree(after)).toEqual([
    'start 62/0',
    '  read a 30/10',
    '    copy 20/20',
    '  read b 32/11',
    '    copy 21/21',
  ])
})

test('functions of another file or start line stay apart', () => {
  const builder = new ProfileBuilder({
    format: 'pprof',
    sampleTypes: [{ type: 'cpu', unit: 'count' }],
  })
  const places: [file: string, line: number][] = [
    ['a.rs', 1],
    ['a.rs', 9],
    ['b.rs', 1],
  ]
  for (const [file, line] of places)
    builder.add(builder.child(0, builder.functions.intern(`f${file}${line}`, file, line)), [1])
  const after = renameFunctions(builder.finish({ warnings: [] }), ['f', 'f', 'f'])
  expect(drawTree(after)).toEqual(['f 1/1', 'f 1/1', 'f 1/1'])
})

test('demangleProfile() makes one function of those that differ by the hash of their build', () => {
  const builder = new ProfileBuilder({
    format: 'perf_script',
    sampleTypes: [{ type: 'cycles', unit: 'count' }],
  })
  const names = [
    '_ZN4demo4read17h0123456789abcdefE',
    '_ZN4demo4read17hfedcba9876543210E',
    '_ZN4demo5write17hfedcba9876543210E',
    'main',
  ]
  for (const [index, name] of names.entries())
    builder.add(builder.child(0, builder.functions.intern(name)), [2 ** index])
  const before = builder.finish({ warnings: [] })
  const after = demangleProfile(before)
  expect(drawTree(after)).toEqual(['demo::read 3/3', 'demo::write 4/4', 'main 8/8'])
  expect(after.warnings).toEqual([])
  expect(total(after)).toBe(total(before))
})

test('demangleProfile() leaves a profile without mangled names as it is', () => {
  const profile = profileOfBuilds()
  expect(demangleProfile(profile)).toBe(profile)
})

function total(profile: ImportedProfile): number {
  return selfValuesOf(profile).reduce((sum, value) => sum + value, 0)
}
