import { importFormats } from '@flamegate/contract'
import { importers } from '@flamegate/loadtest'
import { expect, test } from 'vitest'

const names = (formats: Iterable<string>) => [...formats].toSorted((a, b) => (a < b ? -1 : 1))

test('there is an importer for every format that import_virtual_user takes, and for no other', () => {
  expect(names(importers.keys())).toEqual(names(importFormats))
})
