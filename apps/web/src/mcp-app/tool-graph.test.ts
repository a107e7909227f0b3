import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { drawRows } from '../flame-graph/folded-tree.ts'
import { type FlameColumns, layOutTree } from '../flame-graph/flame-tree.ts'
import { askGraph } from './ask-graph.ts'
import { selectionWords } from './selection-words.ts'
import { subjectOf } from './subject.ts'
import { graphOf, pageOf, profileIdOf } from './tool-graph.ts'

const url = 'https://flamegate.example/profiles/prf_01'
const draw = (columns: FlameColumns | undefined) => columns && drawRows(layOutTree(columns))
const answerOf = (structuredContent: Record<string, unknown>, text = 'in words') => ({
  content: [{ type: 'text' as const, text }],
  structuredContent,
})
const exampleOf = (operation: { examples: readonly { output: object }[] }) => ({
  ...operation.examples[0]?.output,
  url,
})

const example = operations.queryFlamegraph.examples[0]?.output
const entry = (depth: number, name: string, self: number, total: number) => ({
  ...example?.call_tree[0],
  depth,
  function_name: name,
  self_value: self,
  total_value: total,
})
const { report: _report, ...summary } = {
  ...example,
  report: '',
  url,
  total_value: 100,
  call_tree: [
    entry(0, 'main', 10, 100),
    entry(1, 'parse', 30, 60),
    entry(2, 'read', 30, 30),
    entry(1, 'read', 30, 30),
  ],
}

test('a flame graph is drawn as it was answered', () => {
  const graph = graphOf(answerOf(exampleOf(operations.generateFlamegraph)))
  expect(draw(graph?.columns)).toEqual(['main 0-100', 'parse 0-60'])
  expect(graph).toMatchObject({ unit: 'nanoseconds', sampleType: 'cpu', isOutline: false })
})

test('the call tree of a summary is drawn as an outline', () => {
  const graph = graphOf(answerOf(summary))
  expect(draw(graph?.columns)).toEqual(['main 0-100', 'parse 0-60  read 60-90', 'read 0-30'])
  expect(graph?.columns.functions).toHaveLength(3)
  expect(graph?.isOutline).toBe(true)
})

const leaf = (name: string, value: number, delta: number) => ({
  name,
  value,
  delta,
  selfValue: value,
  selfDelta: delta,
  children: [],
})
const tree = {
  name: 'root',
  value: 200,
  delta: 100,
  children: [
    {
      name: 'main',
      value: 200,
      delta: 100,
      children: [leaf('match', 110, 110), leaf('render', 90, -10)],
    },
  ],
}
const { report: _words, ...difference } = {
  ...operations.compareProfiles.examples[0]?.output,
  report: '',
  url,
}

test('the tree of a comparison is drawn with both sides', () => {
  const graph = graphOf(answerOf(difference, `${JSON.stringify(tree)}\n\n${url}`))
  expect(draw(graph?.columns)).toEqual(['all 0-300', 'main 0-300', 'render 0-190  match 190-300'])
  expect(graph?.columns.sides).toMatchObject({
    baseTotal: [100, 100, 100, 0],
    headTotal: [200, 200, 90, 110],
    headSelf: [0, 0, 90, 110],
  })
  expect(graph?.unit).toBe('nanoseconds')
})

test.each([
  ['words', answerOf(difference)],
  ['a cut tree', answerOf(difference, JSON.stringify(tree).slice(0, -4))],
  ['a tree of something else', answerOf(difference, '{"name":"root","children":[{}]}')],
  ['an empty summary', answerOf({ ...summary, call_tree: [] })],
])('there is nothing to draw in %s', (_what, result) => {
  expect(graphOf(result)).toBeUndefined()
})

test('an answer that is too large for more than its text still says what it is of', () => {
  const cut = {
    content: [
      { type: 'text' as const, text: `# Flame\n\n_truncated: yes. Use REST: GET /v1/x. ${url}?type=cpu_` },
    ],
  }
  expect(profileIdOf(cut)).toBe('prf_01')
  expect(pageOf(cut)).toBe(`${url}?type=cpu`)
  expect(pageOf(answerOf({}, `in words\n\n${url}`))).toBe(url)
})

test('the view asks about the same samples as the tool that it belongs to', () => {
  const input = { run_id: 'latest', labels: ['thread=main'], depth: 3, root_function_name: 'parse' }
  expect(subjectOf(input, 'prf_01')).toEqual({
    selection: {
      profile_id: 'prf_01',
      labels: ['thread=main'],
      root_function_name: 'parse',
      inverted: false,
    },
  })
  expect(subjectOf({ base: ['prf_01'], head: ['prf_02'], top_n: 5, normalize: 'total' }, undefined)).toEqual({
    sides: { base: ['prf_01'], head: ['prf_02'], normalize: 'total' },
  })
  expect(subjectOf({}, undefined)).toBeUndefined()
})

test('fewer frames are asked for until they fit a tool’s answer', async () => {
  const asked: unknown[] = []
  const app = {
    async callServerTool(call: { name: string; arguments?: Record<string, unknown> }) {
      asked.push(call)
      const frames = Number(call.arguments?.['max_nodes'])
      return frames > 200
        ? { content: [{ type: 'text' as const, text: 'Flame graph of many nodes' }] }
        : answerOf(exampleOf(operations.generateFlamegraph))
    },
  }
  const selection = { profile_id: 'prf_01', inverted: true }
  const { graph, page } = await askGraph(app, { selection })
  expect(asked).toEqual(
    [800, 400, 200].map((max_nodes) => ({
      name: 'generate_flamegraph',
      arguments: { ...selection, max_nodes },
    })),
  )
  expect(draw(graph.columns)).toEqual(['main 0-100', 'parse 0-60'])
  expect(page).toBe(url)
})

test('a refusal is told in the server’s words', async () => {
  const app = {
    callServerTool: () =>
      Promise.resolve({ content: [{ type: 'text' as const, text: 'No such profile.' }], isError: true }),
  }
  await expect(askGraph(app, { sides: { base: ['prf_01'], head: ['prf_02'] } })).rejects.toThrow(
    'No such profile.',
  )
})

test('the model is told what is zoomed to, and where that is', () => {
  const laidOut = layOutTree(graphOf(answerOf(exampleOf(operations.generateFlamegraph)))!.columns)
  expect(selectionWords(laidOut, 1, 'nanoseconds', 'the flame graph of prf_01')).toBe(
    'In the view, the person has zoomed to parse in the flame graph of prf_01: total 60 ns (60.0 %), self 60 ns (60.0 %). Its place: main › parse.',
  )
  expect(selectionWords(laidOut, 0, 'nanoseconds', 'the flame graph of prf_01')).toBe(
    'In the view, the person looks at all of the flame graph of prf_01.',
  )
})
