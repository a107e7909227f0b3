import { expect, test } from 'vitest'
import { fitCircle, unrollCircle, type Circle, type CircleCosts } from './call-graph-unroll.ts'

/** `calls`: `a > b 10` for what the calls of b by a cost. */
function circle({
  own,
  calls,
  entrances,
  inclusive = {},
}: {
  own: Record<string, number>
  calls: string[]
  entrances: [string, number][]
  inclusive?: Record<string, number>
}): { names: string[]; circle: Circle; costs: CircleCosts } {
  const names = Object.keys(own)
  const parsed = calls.map((call, edge) => {
    const [caller = '', callee = '', cost] = call.split(/ > | /)
    return { caller, callee: names.indexOf(callee), cost: Number(cost), edge }
  })
  return {
    names,
    circle: {
      calls: names.map((name) => parsed.filter(({ caller }) => caller === name)),
      own: Object.values(own),
      entrances: entrances.map(([name, cost]) => ({ function: names.indexOf(name), cost })),
    },
    costs: {
      own: Object.values(own),
      entrances: entrances.map(([, cost]) => cost),
      inclusive: names.map((name) => inclusive[name]),
    },
  }
}

const round = (value: number) => Math.round(value * 10) / 10

/** The tree as text, `name total/own` per node. */
function draw(about: Parameters<typeof circle>[0], smallest = 1e-3, maxNodes = Infinity): string[] {
  const { names, ...made } = circle(about)
  const tree = unrollCircle(made.circle, smallest, maxNodes)
  const costs = Float64Array.from(tree.costs)
  fitCircle(tree, costs, made.costs)
  const depths: number[] = []
  return tree.functions.map((callee, node) => {
    depths[node] = (depths[tree.parents[node]!] ?? -1) + 1
    const total = costs.subarray(node, tree.ends[node]).reduce((sum, cost) => sum + cost, 0)
    return `${'  '.repeat(depths[node])}${names[callee]} ${round(total)}/${round(costs[node]!)}`
  })
}

const imports = {
  own: { exec: 10, a: 20, b: 30, load: 40 },
  calls: ['exec > a 100', 'exec > b 50', 'a > load 80', 'load > exec 60'],
  entrances: [['exec', 100]] as [string, number][],
}

test('what is called again is there again, as long as there is something new on the way', () => {
  expect(draw(imports).map((line) => line.replace(/ [^ ]*$/, ''))).toEqual([
    'exec',
    '  a',
    '    load',
    '      exec',
    '        a',
    '        b',
    '  b',
  ])
})

test('costs are fitted to what functions cost in all, and exactly to what they have', () => {
  expect(draw({ ...imports, inclusive: { exec: 100, a: 95, b: 30, load: 77 } })).toEqual([
    'exec 100/1.3',
    '  a 95/18',
    '    load 77/40',
    '      exec 37/8.7',
    '        a 2/2',
    '        b 26.2/26.2',
    '  b 3.8/3.8',
  ])
})

test('what is below an entrance costs what entering there did', () => {
  expect(
    draw({
      own: { walk: 50, list: 50 },
      calls: ['walk > list 45', 'list > walk 30'],
      entrances: [
        ['list', 60],
        ['walk', 40],
      ],
    }),
  ).toEqual([
    'list 60/32.8',
    '  walk 27.2/17.9',
    '    list 9.3/9.3',
    'walk 40/24',
    '  list 16/7.9',
    '    walk 8.1/8.1',
  ])
})

test('small nodes are left out, but each function has one', () => {
  const about = {
    own: { main: 1, often: 98, never: 0, rare: 1 },
    calls: ['main > often 98', 'often > main 1', 'main > rare 1', 'rare > never 0', 'never > main 0'],
    entrances: [['main', 100]] as [string, number][],
  }
  expect(draw(about, 50)).toEqual(['main 100/1', '  often 98/98', '  rare 1/1', '    never 0/0'])
  expect(draw(about, 0, 0)).toEqual(draw(about, 50))
})
