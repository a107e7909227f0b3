import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { drawRows } from '../flame-graph/folded-tree.ts'
import { layOutTree } from '../flame-graph/flame-tree.ts'
import { sideColumns } from './entry-columns.ts'

const example = operations.getFunctionCallers.examples[0]!.output
const entry = (depth: number, function_name: string, total_value: number) => ({
  ...example.callers[0]!,
  depth,
  function_name,
  total_value,
})

test('entries hang below the function by their depth', () => {
  const sandwich = {
    ...example,
    url: '',
    function_name: 'parse',
    total_value: 10,
    callers: [entry(0, 'load', 6), entry(1, 'main', 6), entry(0, 'main', 4)],
    callees: [entry(0, 'read', 3)],
  }
  expect(drawRows(layOutTree(sideColumns(sandwich, 'callers')))).toEqual([
    'parse 0-10',
    'load 0-6  main 6-10',
    'main 0-6',
  ])
  expect(drawRows(layOutTree(sideColumns(sandwich, 'callees')))).toEqual(['parse 0-10', 'read 0-3'])
})
