import { expect, test } from 'vitest'
import { readColumnFile } from '../column-file.ts'
import { FunctionNotFoundError } from '../questions/find-function.ts'
import { readProfile } from '../read-profile.ts'
import { flameColumns } from './flame-columns.ts'

const profile = readProfile(
  new TextEncoder().encode('main;parse;read 4\nmain;parse 2\nmain;render 6\ngc 8\n'),
)

/** `parent function self` of every node. */
function nodesOf(bytes: Uint8Array): string[] {
  const { json, head, columns } = readColumnFile('FGFC', bytes)
  const names = json.array(head.names, 'names').map(String)
  const nodeCount = json.number(head.nodeCount, 'nodeCount')
  const scale = json.number(head.scale, 'scale')
  columns.int32(names.length)
  columns.int32(names.length)
  const distances = columns.int32(nodeCount)
  const functions = columns.int32(nodeCount)
  const self = columns.values(nodeCount, scale)
  columns.finish()
  return Array.from(
    self,
    (value, node) => `${node - distances[node]!} ${names[functions[node]!] ?? '-'} ${value}`,
  )
}

test('the whole tree is written, with the numbers that nodes have in the profile', () => {
  expect(nodesOf(flameColumns(profile, {}))).toEqual([
    '-1 - 0',
    '0 main 0',
    '1 parse 2',
    '2 read 4',
    '1 render 6',
    '0 gc 8',
  ])
})

test('only what is below a function, or callers below callees', () => {
  expect(nodesOf(flameColumns(profile, { rootFunctionName: 'parse' }))).toEqual(['-1 parse 2', '0 read 4'])
  expect(nodesOf(flameColumns(profile, { rootFunctionName: 'parse', inverted: true }))).toContain('0 read 0')
  expect(() => flameColumns(profile, { rootFunctionName: 'nothing' })).toThrow(FunctionNotFoundError)
})

test('the head says what the values are, and where functions come from', () => {
  const { head } = readColumnFile('FGFC', flameColumns(profile, {}))
  expect(head).toMatchObject({
    sampleType: 'samples',
    unit: 'count',
    scale: 2,
    files: [''],
    origins: ['Unknown'],
  })
})
