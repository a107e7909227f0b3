import { expect, test } from 'vitest'
import { stubPrograms } from '../../testing/stub-programs.ts'
import { findEngines } from './installed-engines.ts'

const versions = {
  k6: 'echo "k6 v0.49.0 (go1.19.8, linux/amd64)"',
  // The banner is of underscores and slashes.
  jmeter: 'echo "/_/ \\_\\_| 5.6.3"; echo; echo "Copyright (c) 1999-2024 The Apache Software Foundation"',
}

test('engines on the PATH are found, and none is run that is not allowed', async () => {
  const programs = await stubPrograms(versions)
  expect(await findEngines([], { PATH: programs.path })).toMatchObject([
    { type: 'k6', version: null, isAllowed: false },
    { type: 'jmeter', version: null, isAllowed: false },
  ])
  expect(await programs.calls()).toEqual([])
})

test('one that is allowed tells its version', async () => {
  const programs = await stubPrograms(versions)
  expect(await findEngines(['k6', 'jmeter'], { PATH: programs.path })).toMatchObject([
    { type: 'k6', version: '0.49.0', isAllowed: true },
    { type: 'jmeter', version: '5.6.3', isAllowed: true },
  ])
  expect((await programs.calls()).toSorted()).toEqual(['jmeter --version', 'k6 version'])
})

test('one that is allowed and not there, or does not run, is refused', async () => {
  const { path } = await stubPrograms({ jmeter: 'exit 1' })
  const bin = path.split(':')[0]
  await expect(findEngines(['k6'], { PATH: bin })).rejects.toThrow('There is no k6 on the PATH')
  await expect(findEngines(['jmeter'], { PATH: bin })).rejects.toThrow('does not run')
  expect(await findEngines([], { PATH: '/nowhere' })).toEqual([])
})
