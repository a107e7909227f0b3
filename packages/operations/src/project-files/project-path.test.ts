import { Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { readProjectPath } from './project-path.ts'

test.each(['users.csv', 'photos/a b.png', 'a/b/c.JSON', 'données.csv', '..data.csv', 'a..b/c.txt'])(
  '%s is a path',
  (path) => {
    expect(readProjectPath(path)).toBe(path)
  },
)

test('one path is written in one way', () => {
  expect(readProjectPath('donne\u0301es.csv')).toBe('donn\u00E9es.csv')
})

test.each([
  '',
  '.',
  '..',
  '/etc/passwd.txt',
  '../other/users.csv',
  'a/../../users.csv',
  'a/./users.csv',
  './users.csv',
  'a/..',
  'a\\..\\users.csv',
  'C:\\users.csv',
  'users.csv/',
  'users\0.csv',
  'users\n.csv',
  'run.sh',
  'setup.exe',
  'users',
  `${'a'.repeat(200)}.csv`,
])('%j is refused, and the field is named', (path) => {
  expect(() => readProjectPath(path)).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      errors: [{ field: 'path', message: expect.any(String) }],
    }),
  )
})

test('no path that is taken leads out of where it is put', () => {
  const pieces = ['..', '.', '/', '\\', 'a', '.csv', '\0', '%2e', '~', ' ', ':', '\u202E']
  const more = (paths: string[]) => paths.flatMap((path) => pieces.map((piece) => path + piece))
  const taken = more(more(more(more([''])))).flatMap((text) => {
    try {
      return [readProjectPath(`${text}.csv`)]
    } catch (error) {
      if (error instanceof Problem) return []
      throw error
    }
  })
  expect(taken.length).toBeGreaterThan(1000)
  for (const path of taken) {
    const { pathname } = new URL(`file:///root/${path.split('/').map(encodeURIComponent).join('/')}`)
    expect(pathname.startsWith('/root/')).toBe(true)
    expect(path.split('/')).not.toContain('..')
    expect(path.startsWith('/')).toBe(false)
  }
})
