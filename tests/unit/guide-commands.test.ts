import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { helpOption, readCommandLine } from '../../apps/cli/src/arguments/command-line.ts'
import { findCommand } from '../../apps/cli/src/commands/commands.ts'
import { publicTexts } from '../../packages/surfaces/src/index.ts'

/** Command lines that guides name, held against what the commands take: whether they work, tests/guides says. */
const named = publicTexts('https://flamegate.example').flatMap(({ name, kind, text }) =>
  kind === 'schema'
    ? []
    : [...text.matchAll(/(?:^ *(?:! |- )?|`)((?:flamegate|mcp-profiler) [a-z][^`\n]*)/gm)].map(
        ([, line = '']) => ({ guide: name, line }),
      ),
)

test('guides name commands', () => {
  expect(named.length).toBeGreaterThan(5)
})

test.each(named)('$guide: $line', async ({ line }) => {
  const [program, ...words] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  )
  const [name = '', ...rest] = program === 'flamegate' ? words : ['mcp', ...words]
  const command = await findCommand(name).load(rest[0])
  const own = command.name.includes(' ') ? rest.slice(1) : rest
  expect(() => readCommandLine(own, [...command.options, helpOption], command.positionals)).not.toThrow()
})

describe('ci-setup', () => {
  const guide = publicTexts('https://flamegate.example').find(({ name }) => name === 'ci-setup')?.text ?? ''

  test('gives the action only inputs that it has', () => {
    const action = readFileSync(join(import.meta.dirname, '../../deploy/ci/github/action.yml'), 'utf8')
    const given = [
      ...(/deploy\/ci\/github@main\n +with:\n(.*?)^```/ms.exec(guide)?.[1] ?? '').matchAll(/^ +([\w-]+):/gm),
    ]
    expect(given.length).toBeGreaterThan(3)
    for (const [, input = ''] of given) expect(action).toMatch(new RegExp(`^  ${input}:$`, 'm'))
  })
})
