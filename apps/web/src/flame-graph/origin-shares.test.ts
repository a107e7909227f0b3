import { expect, test } from 'vitest'
import { layOutTree } from './flame-tree.ts'
import { folded } from './folded-tree.ts'
import { originShares } from './origin-shares.ts'

test('originShares() sums self value by family, largest first', () => {
  const columns = folded('main;match 6\nmain;read 3\nmain 1')
  const origins: Record<string, string> = { match: 'zod@4.6.7', read: 'Kernel' }
  const functions = columns.functions.map((row) => ({ ...row, origin: origins[row.name] ?? row.origin }))
  expect(originShares(layOutTree({ ...columns, functions }))).toEqual([
    { family: 'package', share: 0.6 },
    { family: 'kernel', share: 0.3 },
    { family: 'user', share: 0.1 },
  ])
})
