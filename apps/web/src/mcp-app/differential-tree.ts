import type { BothSides } from '../flame-graph/columns-of-both.ts'

/** A node of the report of `compare_profiles` as `flamegraph-json`: totals in head, and what they are more than in base. */
interface DifferentialNode {
  name: string
  value: number
  delta: number
  selfValue?: number
  selfDelta?: number
  children: DifferentialNode[]
}

/** Reads that report; undefined when the text is another one. */
export function readDifferentialTree(text: string): BothSides | undefined {
  // After the report comes a link, and perhaps a note.
  const [report = ''] = text.split('\n', 1)
  const root = parsed(report)
  return isNode(root) ? sidesOf(root) : undefined
}

function sidesOf(root: DifferentialNode): BothSides {
  const functions: { name: string; file: null; origin: string }[] = []
  const places = new Map<string, number>()
  const nodes = {
    parent: [] as number[],
    function: [] as number[],
    base_self: [] as number[],
    base_total: [] as number[],
    head_self: [] as number[],
    head_total: [] as number[],
  }
  const waiting = [{ node: root, parent: -1 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, parent } = next
    const { name, value, delta, selfValue = 0, selfDelta = 0, children } = node
    let place = places.get(name)
    if (place === undefined && node !== root) {
      place = functions.push({ name, file: null, origin: 'Unknown' }) - 1
      places.set(name, place)
    }
    const index = nodes.parent.push(parent) - 1
    nodes.function.push(place ?? -1)
    nodes.base_self.push(selfValue - selfDelta)
    nodes.base_total.push(value - delta)
    nodes.head_self.push(selfValue)
    nodes.head_total.push(value)
    for (const child of children) waiting.push({ node: child, parent: index })
  }
  return { functions, nodes, base_value: root.value - root.delta, head_value: root.value }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isNode(value: unknown): value is DifferentialNode {
  if (typeof value !== 'object' || value === null) return false
  const typeOf = (field: keyof DifferentialNode) => typeof Reflect.get(value, field)
  const children: unknown = Reflect.get(value, 'children')
  return (
    typeOf('name') === 'string' &&
    typeOf('value') === 'number' &&
    typeOf('delta') === 'number' &&
    ['undefined', 'number'].includes(typeOf('selfValue')) &&
    ['undefined', 'number'].includes(typeOf('selfDelta')) &&
    Array.isArray(children) &&
    children.every(isNode)
  )
}
