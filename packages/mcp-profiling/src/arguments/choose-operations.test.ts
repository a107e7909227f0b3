import { expect, test } from 'vitest'
import { chooseOperations } from './choose-operations.ts'

const empty = { type: 'object' }
const tools = [
  { name: 'look_up', inputSchema: empty, annotations: { readOnlyHint: true } },
  { name: 'write_note', inputSchema: empty },
  { name: 'drop_table', inputSchema: empty, annotations: { destructiveHint: true } },
  { name: 'odd', inputSchema: empty, annotations: { readOnlyHint: true, destructiveHint: true } },
  {
    name: 'hard',
    inputSchema: { type: 'object', properties: { of: false }, required: ['of'] },
    annotations: { readOnlyHint: true },
  },
]

test('chooseOperations() takes only tools that say that they read, and says why it leaves out the others', () => {
  const { chosen, leftOut } = chooseOperations(tools, { named: [] })
  expect(chosen).toEqual([{ name: 'look_up', arguments: {}, areArgumentsGiven: false }])
  expect(leftOut).toEqual([
    { name: 'write_note', reason: 'it may change something (no readOnlyHint); name it to have it called' },
    { name: 'drop_table', reason: 'it says that it destroys (destructiveHint); name it to have it called' },
    { name: 'odd', reason: 'it says both that it only reads and that it destroys' },
    { name: 'hard', reason: 'no arguments could be made for it: of: nothing is allowed there' },
  ])
})

test('chooseOperations() takes exactly those that are named, with the arguments that are given', () => {
  const { chosen, leftOut } = chooseOperations(tools, {
    named: ['drop_table', 'hard', 'gone'],
    givenArguments: { hard: { of: 1 } },
  })
  expect(chosen).toEqual([
    { name: 'drop_table', arguments: {}, areArgumentsGiven: false },
    { name: 'hard', arguments: { of: 1 }, areArgumentsGiven: true },
  ])
  expect(leftOut).toEqual([{ name: 'gone', reason: 'the server has no such tool' }])
})
