// Datadog's pprof-format decodes; the same tree is made of it as others would, with a map at each node.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import { reportFigures, type Answer } from './figures.ts'

interface Node {
  functionId: number
  parent: Node | undefined
  self: number
  total: number
  children: Map<number, Node>
}

await reportFigures(() => answerOf(Profile.decode(gunzipSync(readFileSync(process.argv[2] ?? '')))))

function answerOf(profile: Profile): Answer {
  const functionsOfLocations = new Map(
    profile.location.map(({ id, line }) => [Number(id), line.map(({ functionId }) => Number(functionId))]),
  )
  const root: Node = { functionId: -1, parent: undefined, self: 0, total: 0, children: new Map() }
  const nodes: Node[] = []
  const last = profile.sampleType.length - 1
  for (const { locationId, value } of profile.sample) {
    let node = root
    for (let location = locationId.length - 1; location >= 0; location--) {
      const functions = functionsOfLocations.get(Number(locationId[location])) ?? []
      for (let line = functions.length - 1; line >= 0; line--) {
        const functionId = functions[line]!
        let child = node.children.get(functionId)
        if (child === undefined) {
          child = { functionId, parent: node, self: 0, total: 0, children: new Map() }
          node.children.set(functionId, child)
          nodes.push(child)
        }
        node = child
      }
    }
    node.self += Number(value[last])
  }
  // Parents were made before their children.
  for (const node of nodes) node.total = node.self
  for (const node of nodes.toReversed()) if (node.parent !== undefined) node.parent.total += node.total
  const rows = new Map<number, [name: string, self: number, total: number]>()
  for (const { id, name } of profile.function) {
    rows.set(Number(id), [profile.stringTable.strings[Number(name)] ?? '', 0, 0])
  }
  for (const node of nodes) {
    const row = rows.get(node.functionId)
    if (row === undefined) continue
    row[1] += node.self
    if (isOutermost(node)) row[2] += node.total
  }
  const top = [...rows.values()].toSorted((a, b) => b[1] - a[1] || b[2] - a[2] || (a[0] < b[0] ? -1 : 1))
  return { nodes: nodes.length, total: root.total, top: top.slice(0, 10) }
}

function isOutermost({ functionId, parent }: Node): boolean {
  for (let outer = parent; outer !== undefined; outer = outer.parent) {
    if (outer.functionId === functionId) return false
  }
  return true
}
