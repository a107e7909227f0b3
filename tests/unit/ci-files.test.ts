import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/ci/github')

/** The words of the command line that the action makes of its inputs, in place of which `printf` runs. */
function commandLine(inputs: Readonly<Record<string, string>>): string[] {
  const out = execFileSync('bash', [join(folder, 'run.sh')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], INPUT_CLI: 'printf %s\\n', ...inputs },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return out.trimEnd().split('\n')
}

test('the action runs a command, whose quotes are those of a script, and checks', () => {
  expect(
    commandLine({ INPUT_COMMAND: `hyperfine './tool --x' -N`, INPUT_RESULTS: 'a.json\n\n b c/*.json\n' }),
  ).toEqual([
    'run',
    '--check',
    '--fail-on',
    'regressed',
    '--results',
    'a.json',
    '--results',
    ' b c/*.json',
    '--',
    'hyperfine',
    './tool --x',
    '-N',
  ])
})

test('the action measures a base in turns, set up by a command of the shell', () => {
  const said = { INPUT_REPEAT: '12', INPUT_BASE_REF: 'origin/main', INPUT_SETUP: 'npm ci && make' }
  expect(commandLine({ INPUT_COMMAND: 'make bench', INPUT_CHECK: 'false', ...said })).toEqual(
    ['run', '--repeat', '12', '--base-ref', 'origin/main', '--setup', 'npm ci && make', '--'].concat([
      'make',
      'bench',
    ]),
  )
})

test('the action uploads results, with what else was said', () => {
  const said = {
    INPUT_ADAPTER: 'go_bench',
    INPUT_FAIL_ON: 'regressed,missing',
    INPUT_THRESHOLD: '3',
    INPUT_JUNIT: 'a b.xml',
  }
  expect(commandLine({ INPUT_RESULTS: 'out', ...said })).toEqual(
    [
      'upload',
      '--adapter',
      'go_bench',
      '--check',
      '--fail-on',
      'regressed,missing',
      '--threshold-percent',
      '3',
    ].concat(['--format', 'junit', '--output', 'a b.xml', '--', 'out']),
  )
  expect(commandLine({ INPUT_RESULTS: 'out', INPUT_CHECK: 'false' })).toEqual(['upload', '--', 'out'])
})

test('the action says when there is nothing to do', () => {
  expect(() => commandLine({})).toThrow('Say what to do')
})

test('every input of the action is handed on as a variable, and none is part of a script', () => {
  const action = readFileSync(join(folder, 'action.yml'), 'utf8')
  const inputs = [...(/^inputs:\n(.*?)^\w/ms.exec(action)?.[1] ?? '').matchAll(/^ {2}([\w-]+):/gm)].map(
    ([, name]) => name,
  )
  expect(inputs.length).toBeGreaterThan(10)
  for (const name of inputs) expect(action).toContain(`: \${{ inputs.${name} }}`)
  const script = readFileSync(join(folder, 'run.sh'), 'utf8')
  const variables = [...action.matchAll(/^ {8}(INPUT_\w+):/gm)].map(([, name]) => name)
  for (const name of variables) expect(script).toContain(`\${${name}:`)
  expect(action.slice(action.lastIndexOf('run: '))).not.toContain('{{')
})
