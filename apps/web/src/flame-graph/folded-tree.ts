import { at, type FlameColumns, type FlameTree, nodeName } from './flame-tree.ts'

/** For tests: the columns of `a;b;c 12` lines, in the order in which the paths come. */
export function folded(text: string): FlameColumns {
  const functions: { name: string; file: null; origin: string }[] = []
  const nodes = {
    parent: [] as number[],
    function: [] as number[],
    self: [] as number[],
    total: [] as number[],
  }
  const nodeOfPath = new Map<string, number>()
  let totalValue = 0
  for (const line of text.split('\n').filter((row) => row.trim() !== '')) {
    const [path = '', value = ''] = line.trim().split(/ (?=\d+$)/)
    let parent = -1
    const names = path.split(';')
    for (const [index, name] of names.entries()) {
      const key = names.slice(0, index + 1).join(';')
      let node = nodeOfPath.get(key)
      if (node === undefined) {
        node = nodes.parent.length
        nodeOfPath.set(key, node)
        let functionIndex = functions.findIndex((row) => row.name === name)
        if (functionIndex < 0) functionIndex = functions.push({ name, file: null, origin: 'User code' }) - 1
        nodes.parent.push(parent)
        nodes.function.push(functionIndex)
        nodes.self.push(0)
        nodes.total.push(0)
      }
      nodes.total[node] = at(nodes.total, node) + Number(value)
      if (index === names.length - 1) nodes.self[node] = at(nodes.self, node) + Number(value)
      parent = node
    }
    totalValue += Number(value)
  }
  return { total_value: totalValue, functions, nodes }
}

/** For tests: every row as `name start-end` from left to right. */
export function drawRows(tree: FlameTree): string[] {
  const rows: string[] = []
  for (const [row, first] of tree.rowStarts.subarray(0, -1).entries()) {
    const nodes = Array.from({ length: at(tree.rowStarts, row + 1) - first }, (_, index) => first + index)
    const frames = nodes.map((node) => {
      const start = at(tree.start, node)
      return `${nodeName(tree, node)} ${start}-${start + at(tree.total, node)}`
    })
    rows.push(frames.join('  '))
  }
  return rows
}

/** For tests: the first node of that name, from the top. */
export function findNode(tree: FlameTree, name: string): number {
  const node = tree.parent.findIndex((_, candidate) => nodeName(tree, candidate) === name)
  if (node < 0) throw new RangeError(`No node is called ${name}`)
  return node
}
