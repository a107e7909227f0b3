import { expect, test } from 'vitest'
import { sameFiles } from './same-files.ts'

/** The path before of each file of after, or '-'. */
const originsOf = (before: string[], after: string[]) =>
  Array.from(sameFiles(before, after), (place) => before[place] ?? '-')

test('a file is the one of its path, and no other', () => {
  const paths = ['/app/users/index.js', '/app/orders/index.js']
  expect(originsOf(paths, paths.toReversed())).toEqual(paths.toReversed())
  expect(originsOf(paths, [paths[0]!, '/lib/orders/index.js', '/lib/users/index.js'])).toEqual([
    paths[0],
    paths[1],
    '-',
  ])
})

test('files of another checkout are told by the ends of their paths', () => {
  const files = ['index.js', 'users/index.js', 'orders/index.js', 'orders/users/index.js']
  const old = files.map((file) => `/ci/12/build/${file}`)
  const after = files.map((file) => `/home/me/shop/${file}`)
  expect(originsOf(old, after)).toEqual(old)
  expect(originsOf(files, after)).toEqual(files)
  expect(originsOf(old, files)).toEqual(old)
})

test('in another checkout, it does not matter which other files are there', () => {
  const before = ['/old/index.js', '/old/a/lib/index.js', '/old/b/lib/index.js', '/old/c/lib/index.js']
  const after = ['/new/index.js', '/new/a/lib/index.js', '/new/d/lib/index.js', '/new/e/lib/index.js']
  expect(originsOf(before, after)).toEqual(['/old/index.js', '/old/a/lib/index.js', '-', '-'])
})

test('a name that other files have too is not enough, nor are several that are equally like it', () => {
  expect(originsOf(['/app/a/util.js'], ['/app/b/c/util.js'])).toEqual(['/app/a/util.js'])
  expect(originsOf(['/app/a/util.js', '/app/b/util.js'], ['/app/a/util.js', '/app/c/util.js'])).toEqual([
    '/app/a/util.js',
    '-',
  ])
  expect(originsOf(['/a/src/util.js', '/b/src/util.js'], ['/c/src/util.js'])).toEqual(['-'])
})

test('of one program, files moved only with all that is around them', () => {
  const before = ['/srv/releases/1/a.js', '/srv/releases/1/lib/index.js', '/usr/lib/z.js']
  const origins = (after: string[]) =>
    Array.from(sameFiles(before, after, true), (place) => before[place] ?? '-')
  expect(origins(['/srv/releases/2/lib/index.js', '/usr/lib/z.js', '/srv/releases/2/a.js'])).toEqual([
    '/srv/releases/1/lib/index.js',
    '/usr/lib/z.js',
    '/srv/releases/1/a.js',
  ])
  expect(origins(['/srv/releases/1/a.js', '/srv/releases/2/lib/index.js'])).toEqual([before[0], '-'])
})

const deep = (root: string) => `/${root}${'/folder'.repeat(5000)}/index.js`

test('paths of any length are read', () => {
  expect(Array.from(sameFiles([deep('a'), '/index.js'], ['/index.js', deep('b')]))).toEqual([1, 0])
})
