// Questions to a stored tree of so many nodes, which is decoded once: `queries.ts <nodes>`. Milliseconds of each, by question.
import {
  decodeProfile,
  encodeProfile,
  flameGraphTree,
  sandwich,
  searchFunctions,
  summarizeFlameGraph,
  topFunctions,
} from '../../../packages/profiles/src/index.ts'
import { makeTree } from '../make-tree.ts'

const nodeCount = Number(process.argv[2])
const repetitions = 60
const profile = decodeProfile(encodeProfile(makeTree(nodeCount)))

// Each is asked about something else every time.
const questions: Record<string, (turn: number) => { length: number }> = {
  top: (turn) => topFunctions(profile, { by: turn % 2 === 0 ? 'self' : 'total', limit: 50 + turn }),
  'call tree': (turn) =>
    summarizeFlameGraph(profile, { minPercent: 0.001 + turn / 1e5, maxEntries: 100 }).callTree,
  'flame graph': (turn) => flameGraphTree(profile, { maxNodes: 20_000 - turn }).nodes.parent,
  search: (turn) => searchFunctions(profile, `Order${turn % 10}.*run`, { by: 'total', limit: 50 }).rows,
  sandwich: (turn) => sandwich(profile, profile.functions.names[turn + 1]!).callers,
}

const times: Record<string, number[]> = {}
const answered: Record<string, boolean> = {}
for (const [name, ask] of Object.entries(questions)) {
  times[name] = []
  answered[name] = true
  for (let turn = 0; turn < repetitions; turn++) {
    const startedAt = performance.now()
    const answer = ask(turn)
    times[name].push(performance.now() - startedAt)
    answered[name] &&= answer.length > 0
  }
}
console.log(JSON.stringify({ times, answered }))
