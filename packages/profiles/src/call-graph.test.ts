import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallGraph } from './call-graph.ts'
import { topFunctions, type ImportedProfile } from './index.ts'
import { ProfileBuilder } from './profile-builder.ts'
import { drawTree } from './testing/draw-tree.ts'

/**
 * A profile of a call graph: `main 10` is what a function has itself, `main > read 60 x3` what its three calls of
 * another cost, `walk total 60` all that it costs; values of several sample types are `60,2`; `main:4 10` and
 * `main:4 > read` name a line.
 */
function profileOf(text: string, { maxNodes }: { maxNodes?: number } = {}): ImportedProfile {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const typeCount = /[\d.,]+/.exec(lines[0]!.slice(lines[0]!.lastIndexOf(' ')))![0].split(',').length
  const sampleTypes = Array.from({ length: typeCount }, (_, type) => ({ type: `type${type}`, unit: 'count' }))
  const builder = new ProfileBuilder({ format: 'collapsed', sampleTypes, countsCalls: true })
  const graph = new CallGraph({ format: 'collapsed', sampleTypeCount: typeCount })
  let callCount = 0
  for (const line of lines) {
    const parts = /^(\w+)(?::(\d+))?(?: > (\w+))?( total)? ([\d.,]+)(?: x(\d+))?$/.exec(line)
    const [, name = '', at = '0', called, isTotal, values = '', calls = '1'] = parts ?? []
    const numbers = values.split(',').map(Number)
    const functionIndex = builder.functions.intern(name)
    if (isTotal !== undefined) graph.addInclusive(functionIndex, numbers)
    else if (called === undefined) graph.addSelf(functionIndex, numbers, Number(at))
    else {
      const callee = builder.functions.intern(called)
      callCount += Number(calls)
      graph.addCall({ caller: functionIndex, callee, calls: Number(calls), line: Number(at) }, numbers)
    }
  }
  graph.addTo(builder, { maxNodes })
  return builder.finish({ warnings: [], ...(callCount === 0 ? { sampleCount: 1 } : {}) })
}

const callsOf = (profile: ImportedProfile) =>
  drawTree(profile).map((line, index) => `${line.replace(/ [^ ]*$/, '')} x${profile.nodes.calls![index + 1]}`)

test('what a function costs is split over its callers as their calls cost', () => {
  const profile = profileOf(`
    main 10
    main > read 60 x2
    main > write 40 x4
    read > copy 60 x6
    write > copy 30 x2
    write 10
    copy 90
  `)
  expect(drawTree(profile)).toEqual([
    'main 110/10',
    '  read 60/0',
    '    copy 60/60',
    '  write 40/10',
    '    copy 30/30',
  ])
  expect(callsOf(profile)).toEqual(['main x0', '  read x2', '    copy x6', '  write x4', '    copy x2'])
  expect(profile.sampleCount).toBe(14)
})

test('what is further down is split by the shares of those above', () => {
  const profile = profileOf(`
    main > a 75
    main > b 25
    a > lib 75
    b > lib 25
    lib > read 40 x4
    lib 60
    read 40
  `)
  expect(drawTree(profile)).toEqual([
    'main 100/0',
    '  a 75/0',
    '    lib 75/45',
    '      read 30/30',
    '  b 25/0',
    '    lib 25/15',
    '      read 10/10',
  ])
})

test('each sample type is split in its own proportions', () => {
  const profile = profileOf(`
    main > a 90,1
    main > b 10,9
    a > lib 90,1
    b > lib 10,9
    lib 100,10
  `)
  expect(drawTree(profile, 0)).toEqual([
    'main 100/0',
    '  a 90/0',
    '    lib 90/90',
    '  b 10/0',
    '    lib 10/10',
  ])
  expect(drawTree(profile, 1)).toEqual(['main 10/0', '  a 1/0', '    lib 1/1', '  b 9/0', '    lib 9/9'])
})

test('whole values stay whole, and nothing gets lost', () => {
  const profile = profileOf(`
    main > a 5
    main > b 5
    main > c 5
    a > lib 5
    b > lib 5
    c > lib 5
    lib 10
    lib > read 5
    read 5
  `)
  expect(drawTree(profile)).toEqual([
    'main 15/0',
    '  a 7/0',
    '    lib 7/4',
    '      read 3/3',
    '  b 4/0',
    '    lib 4/3',
    '      read 1/1',
    '  c 4/0',
    '    lib 4/3',
    '      read 1/1',
  ])
})

test('a function that calls itself is one node, with all of its calls', () => {
  const profile = profileOf(`
    main 1
    main > fib 9 x1
    fib > fib 30 x20
    fib 6
    fib > add 3 x10
    add 3
  `)
  expect(drawTree(profile)).toEqual(['main 10/1', '  fib 9/6', '    add 3/3'])
  expect(callsOf(profile)).toEqual(['main x0', '  fib x21', '    add x10'])
})

test('a circle goes around as long as there is a new function on the way', () => {
  const profile = profileOf(`
    main > walk 100 x1
    walk 10
    walk > list 90 x5
    list 20
    list > walk 60 x4
    list > read 70 x7
    read 70
  `)
  expect(drawTree(profile)).toEqual([
    'main 100/0',
    '  walk 100/2',
    '    list 98/20',
    '      walk 8/8',
    '      read 70/70',
  ])
  expect(callsOf(profile)).toEqual(['main x0', '  walk x1', '    list x5', '      walk x4', '      read x7'])
})

test('totals within a circle are those that are told', () => {
  const profile = profileOf(`
    main > walk 100
    walk 10
    walk > list 95
    list 20
    list > walk 60
    list > read 70
    read 70
    walk total 100
    list total 95
  `)
  expect(drawTree(profile)).toEqual([
    'main 100/0',
    '  walk 100/5',
    '    list 95/20',
    '      walk 5/5',
    '      read 70/70',
  ])
})

test('a circle that is entered twice costs each of its callers what their calls cost', () => {
  const profile = profileOf(`
    main > first 400
    main > second 600
    first > walk 400
    second > list 600
    walk 500
    walk > list 450
    list 500
    list > walk 300
  `)
  expect(drawTree(profile)).toEqual([
    'main 1000/0',
    '  first 400/0',
    '    walk 400/241',
    '      list 159/78',
    '        walk 81/81',
    '  second 600/0',
    '    list 600/329',
    '      walk 271/178',
    '        list 93/93',
  ])
})

test('a circle that nobody calls begins with who costs most', () => {
  const profile = profileOf(`
    ping 10
    ping > pong 20
    pong 30
    pong > ping 25
  `)
  expect(drawTree(profile)).toEqual(['pong 40/20', '  ping 20/10', '    pong 10/10'])
})

test('what a function costs beyond its callers is at the root', () => {
  const profile = profileOf(`
    main 10
    main > work 30
    work 80
    work > read 40
    read 40
  `)
  expect(drawTree(profile)).toEqual([
    'main 40/10',
    '  work 30/20',
    '    read 10/10',
    'work 90/60',
    '  read 30/30',
  ])
})

test('lines have what is their own and what was called there, and add up', () => {
  const profile = profileOf(`
    main:1 5
    main:3 > read 60 x2
    main:4 > write 40
    write:8 > read 30
    write:9 10
    read:20 30
    read:21 60
  `)
  expect(drawTree(profile)).toEqual(['main 105/5', '  write 40/10', '    read 30/30', '  read 60/60'])
  const { nodes, lines, selfValues, totalValues } = profile.detail!.lines!
  const rows = Array.from(nodes, (node, row) => {
    const name = profile.functions.names[profile.nodes.functionIndexes[node]!]
    return `${name}:${lines[row]} ${totalValues[0]![row]}/${selfValues[0]![row]}`
  })
  expect(rows).toEqual([
    'main:1 5/5',
    'main:3 60/0',
    'main:4 40/0',
    'write:8 30/0',
    'write:9 10/10',
    'read:20 10/10',
    'read:21 20/20',
    'read:20 20/20',
    'read:21 40/40',
  ])
  expect(Array.from(profile.nodes.lines)).toEqual([0, 1, 9, 21, 21])
})

test('the tree of a graph with more paths than anyone could hold stays small, and keeps all values', () => {
  // 60 layers of 3 functions, each calling all of the next layer: 3^60 paths.
  const lines: string[] = []
  for (let layer = 0; layer < 60; layer++) {
    for (const one of [0, 1, 2]) {
      lines.push(`f${layer}_${one} 1`)
      const below = (59 - layer) / 3
      if (below > 0)
        for (const other of [0, 1, 2]) lines.push(`f${layer}_${one} > f${layer + 1}_${other} ${below}`)
    }
  }
  const profile = profileOf(lines.join('\n'))
  expect(profile.nodes.parents.length).toBeGreaterThan(1000)
  expect(profile.nodes.parents.length).toBeLessThanOrEqual(100_001)
  const rows = topFunctions(profile, { by: 'total', limit: Infinity })
  expect(rows).toHaveLength(180)
  expect(rows.every(({ selfValue }) => selfValue === 1)).toBe(true)
})

test('a limit of nodes coarsens the tree', () => {
  const graph = `
    main > a 60
    main > b 40
    a > lib 60
    b > lib 40
    lib 100
  `
  expect(drawTree(profileOf(graph, { maxNodes: 5 }))).toEqual([
    'main 100/0',
    '  a 100/0',
    '    lib 100/100',
    '  b 0/0',
  ])
})

test('a chain of 50,000 functions is no matter of the stack', () => {
  const lines = ['f0 1']
  for (let depth = 1; depth < 50_000; depth++)
    lines.push(`f${depth - 1} > f${depth} ${50_000 - depth}`, `f${depth} 1`)
  expect(profileOf(lines.join('\n')).nodes.parents).toHaveLength(50_001)
})

test('self values and calls of any graph come out exactly', () => {
  const functions = fc.integer({ min: 0, max: 9 })
  const values = fc.tuple(fc.nat(1000), fc.nat(3))
  const graphs = fc.record({
    self: fc.array(values, { minLength: 10, maxLength: 10 }),
    calls: fc.array(fc.tuple(functions, functions, fc.nat(9), values), { maxLength: 40 }),
  })
  fc.assert(
    fc.property(graphs, ({ self, calls }) => {
      const profile = profileOf(
        [
          ...self.map(([a, b], index) => `f${index} ${a},${b}`),
          ...calls.map(([from, to, count, [a, b]]) => `f${from} > f${to} ${a},${b} x${count}`),
        ].join('\n'),
      )
      const sums = (column: ArrayLike<number>) => {
        const byName: Record<string, number> = {}
        for (let node = 1; node < column.length; node++) {
          const name = profile.functions.names[profile.nodes.functionIndexes[node]!]!
          byName[name] = (byName[name] ?? 0) + column[node]!
        }
        return byName
      }
      for (const type of [0, 1]) {
        expect(sums(profile.selfValues[type]!)).toEqual(
          Object.fromEntries(self.map((own, index) => [`f${index}`, own[type]])),
        )
      }
      const callsTo = (index: number) =>
        calls.reduce((sum, [, to, count]) => (to === index ? sum + count : sum), 0)
      expect(sums(profile.nodes.calls!)).toEqual(
        Object.fromEntries(self.map((_, index) => [`f${index}`, callsTo(index)])),
      )
      // One node per function and parent.
      const seen = Array.from(
        profile.nodes.parents,
        (parent, node) => `${parent} ${profile.nodes.functionIndexes[node]}`,
      )
      expect(new Set(seen).size).toBe(seen.length)
    }),
  )
})
