import { expect, test } from 'vitest'
import { foldSame } from './fold-same.ts'

const drawn = (text: string) => foldSame(text.split('|')).map(({ sign, words }) => `${sign}${words}`)

test('foldSame() leaves out equal lines that are far from a difference', () => {
  expect(drawn(' a| b| c| d| e|-f|+g| h| i| j| k')).toEqual([
    '…2 equal lines',
    ' c',
    ' d',
    ' e',
    '-f',
    '+g',
    ' h',
    ' i',
    ' j',
    '…1 equal line',
  ])
})

test('foldSame() of equal texts is one line', () => {
  expect(drawn(' a| b')).toEqual(['…2 equal lines'])
})
