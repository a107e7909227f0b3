import { adapterNames } from '@flamegate/benchmarks'
import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'

test.each([operations.createRunUpload, operations.submitBenchmarkResults])(
  '$id takes the name of every adapter there is',
  ({ input }) => {
    const names = input.shape.adapter.unwrap().options
    expect(names.toSorted()).toEqual(['magic', ...adapterNames].toSorted())
  },
)
