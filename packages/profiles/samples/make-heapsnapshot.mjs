// Makes heapsnapshot/*.heapsnapshot.gz with the Node that runs this: two snapshots of a process in which a cache grows.
// A snapshot of Node has megabytes, so it is cut down to what the program itself made and the way to it; everything that
// is left is as V8 wrote it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const samples = import.meta.dirname
const work = '/tmp/demo-app/heap'
rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
mkdirSync(`${samples}/heapsnapshot`, { recursive: true })
writeFileSync(
  `${work}/app.cjs`,
  `const v8 = require('node:v8')
class Session {
  constructor(id) {
    this.id = 'session ' + id
    this.body = new ArrayBuffer(1024)
  }
}
class Listener {
  constructor(session) {
    this.onClose = () => session.id
  }
}
class Demo {
  cache = new Map()
  listeners = []
  orders = []
}
const demo = (globalThis.demo = new Demo())
function work(from, to) {
  for (let id = from; id < to; id++) {
    const session = new Session(id)
    demo.cache.set(id, session)
    if (id % 10 === 0) demo.listeners.push(new Listener(session))
    demo.orders.push({ id: 'order ' + id, price: id + 0.5 })
  }
}
work(0, 50)
v8.writeHeapSnapshot('before.json')
work(50, 250)
demo.orders.length = 0
v8.writeHeapSnapshot('after.json')
`,
)
execFileSync(process.execPath, ['app.cjs'], { cwd: work, stdio: 'inherit' })

for (const name of ['before', 'after']) {
  const { snapshot, nodes, edges, strings } = JSON.parse(readFileSync(`${work}/${name}.json`, 'utf8'))
  const nodeWidth = snapshot.meta.node_fields.length
  const field = (node, fieldName) => nodes[node * nodeWidth + snapshot.meta.node_fields.indexOf(fieldName)]
  const typeOf = (node) => snapshot.meta.node_types[0][field(node, 'type')]
  const nameOf = (node) => strings[field(node, 'name')]
  const edgesOf = []
  for (let node = 0, at = 0; node < snapshot.node_count; node++) {
    const own = []
    for (let left = field(node, 'edge_count'); left > 0; left--, at += 3) {
      const type = snapshot.meta.edge_types[0][edges[at]]
      const isIndex = type === 'element' || type === 'hidden'
      own.push({ type, edgeName: isIndex ? edges[at + 1] : strings[edges[at + 1]], row: edges.slice(at, at + 3) })
    }
    edgesOf.push(own)
  }
  const target = ({ row }) => row[2] / nodeWidth

  // The shortest way from the root to the Demo, and from there all but what every program has.
  const from = new Map([[0, -1]])
  const queue = [0]
  for (const node of queue) {
    for (const edge of edgesOf[node]) {
      if (edge.type === 'weak' || from.has(target(edge))) continue
      from.set(target(edge), node)
      queue.push(target(edge))
    }
  }
  const demo = queue.find((node) => typeOf(node) === 'object' && nameOf(node) === 'Demo' && from.get(node) !== -1)
  const kept = new Set()
  for (let node = demo; node !== -1; node = from.get(node)) kept.add(node)
  const pending = [demo]
  for (const node of pending) {
    for (const edge of edgesOf[node]) {
      const isShared = ['map', '__proto__', 'shared', 'code', 'feedback_cell', 'scope_info'].includes(edge.edgeName)
      if (isShared || kept.has(target(edge)) || typeOf(target(edge)) === 'code' || typeOf(target(edge)) === 'hidden') continue
      kept.add(target(edge))
      pending.push(target(edge))
    }
  }

  const order = [...kept].toSorted((a, b) => a - b)
  const places = new Map(order.map((node, index) => [node, index]))
  const texts = []
  const text = (index) => {
    const known = texts.indexOf(strings[index])
    return known === -1 ? texts.push(strings[index]) - 1 : known
  }
  const cutEdges = []
  const cutNodes = order.flatMap((node) => {
    const own = edgesOf[node].filter((edge) => kept.has(target(edge)))
    for (const { type, row } of own) {
      const isIndex = type === 'element' || type === 'hidden'
      cutEdges.push(row[0], isIndex ? row[1] : text(row[1]), places.get(row[2] / nodeWidth) * nodeWidth)
    }
    return snapshot.meta.node_fields.map((fieldName) => {
      if (fieldName === 'edge_count') return own.length
      return fieldName === 'name' ? text(field(node, 'name')) : field(node, fieldName)
    })
  })
  const cut = {
    snapshot: { ...snapshot, node_count: order.length, edge_count: cutEdges.length / 3 },
    nodes: cutNodes,
    edges: cutEdges,
    trace_function_infos: [],
    trace_tree: [],
    samples: [],
    locations: [],
    strings: texts,
  }
  writeFileSync(`${samples}/heapsnapshot/node-${name}.heapsnapshot.gz`, gzipSync(JSON.stringify(cut), { level: 9 }))
}
