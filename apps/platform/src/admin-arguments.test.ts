import { expect, test } from 'vitest'
import { readArguments } from './admin-arguments.ts'

test.each([
  ['restore /backups/monday --replace --dry-run', 'restore does not take --dry-run, and nothing was done.'],
  ['sweep dry-run', 'sweep does not take “dry-run”'],
  ['rotate-keys master', 'rotate-keys does not take “master”'],
  ['backup /backups/monday /backups/tuesday', 'backup does not take “/backups/tuesday”'],
  ['verify /backups/monday --only=data --owner=a@b.example', 'verify does not take --only, --owner'],
])('what a command does not know is refused, and not passed over: %s', (line, words) => {
  expect(() => readArguments(line.split(' '))).toThrow(words)
})

test.each([
  'backup /backups/monday --without-keys',
  'verify /backups/monday',
  'restore --replace /backups/monday',
  'rotate-keys --only master',
  'sweep --dry-run',
  'export-workspace ws_1 acme.tar.gz',
  'import-workspace acme.tar.gz --owner ada@example.com',
  'incident open api Slow Since',
  'sweep --help',
])('what the help says is taken: %s', (line) => {
  expect(readArguments(line.split(' ')).command).toBe(line.split(' ')[0])
})
