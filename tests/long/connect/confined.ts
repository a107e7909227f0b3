import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { clients } from '../../../packages/connect/src/index.ts'
import { apiToken, signUpAs } from '../../system/person.ts'
import { programsOf } from '../clients/install.ts'
import { pageSnippet } from '../clients/page-snippet.ts'
import { startPlatform } from '../clients/platform.ts'
import { openTerminal, type CommandResult, type Terminal } from '../clients/terminal.ts'
import { type Program, programs, skillInstaller } from './programs.ts'

// The part of `npm run long -- connect` that has no internet.
const failures: string[] = []

function check(what: string, isRight: boolean, { output }: Pick<CommandResult, 'output'>): void {
  console.log(`${isRight ? 'yes' : 'NO '}  ${what}`)
  if (!isRight) failures.push(`${what}; it wrote ${JSON.stringify(output.slice(-800))}`)
}

/** Every client gets a home of its own. */
async function home(dir: string, name: string, folder: string): Promise<Terminal> {
  const path = join(dir, name)
  await mkdir(path, { recursive: true })
  // Nobody is at the browser: what opens one waits, and is ended.
  return openTerminal(path, folder, 'http://127.0.0.1:9/')
}

async function tryProgram(program: Program, dir: string, origin: string, token: string): Promise<void> {
  const { id, list, connected, waiting } = program
  const label = (text: string) => pageSnippet(id, text, origin)
  const name = clients({ origin }).find((client) => client.id === id)?.name ?? id
  const env = { ...program.env, FLAMEGATE_TOKEN: token }
  const terminal = await home(dir, id, programsOf(program.package))
  const run = (line: string, until?: RegExp) =>
    terminal.run(['sh', '-ec', line], {
      env,
      input: '',
      ...(until === undefined ? {} : { until: (output: string) => until.test(output) }),
    })

  const withToken = label('Command with an API token').copy.replace('fg_…', token)
  const added = await run(withToken)
  const listed = await run(list)
  check(`${name}: added with a token, and connects`, added.code === 0 && connected.test(listed.output), {
    output: added.output + listed.output,
  })
  if (id !== 'opencode') {
    const removed = await run(label('Command to remove it').copy)
    const gone = await run(list)
    check(`${name}: removed`, removed.code === 0 && !gone.output.includes('/mcp'), {
      output: removed.output + gone.output,
    })
  }

  const plain = await home(dir, `${id}-plain`, programsOf(program.package))
  // Codex goes on to log in; it has added the server by then.
  const plainAdded = await plain.run(['sh', '-ec', label(`Command for ${name}`).copy], {
    env,
    input: '',
    until: (output) => /Added global/.test(output),
  })
  const plainListed = await plain.run(['sh', '-ec', list], { env, input: '' })
  check(`${name}: added by the line of the page, and waits for a log-in`, waiting.test(plainListed.output), {
    output: plainAdded.output + plainListed.output,
  })
}

const settingsFiles: readonly { id: string; file: string }[] = [
  { id: 'claude-code', file: '.mcp.json' },
  { id: 'codex', file: '~/.codex/config.toml' },
  { id: 'gemini-cli', file: '~/.gemini/settings.json' },
  { id: 'opencode', file: 'opencode.json' },
]

async function trySettings(program: Program, dir: string, origin: string): Promise<void> {
  const file = settingsFiles.find(({ id }) => id === program.id)?.file ?? ''
  const { copy } = pageSnippet(program.id, `For ${file}`, origin)
  const terminal = await home(dir, `${program.id}-file`, programsOf(program.package))
  const path = join(terminal.home, file.replace('~/', ''))
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, copy)
  const listed = await terminal.run(['sh', '-ec', program.list], { env: program.env ?? {}, input: '' })
  check(`${program.id}: reads the server from ${file}`, program.waiting.test(listed.output), listed)
}

/** The guides, for every client that has a place for them, by `curl` and by the installer. */
async function tryGuides(dir: string, origin: string): Promise<void> {
  const installed = programsOf(skillInstaller.package)
  for (const client of clients({ origin })) {
    if (client.skills === undefined) continue
    const terminal = await home(dir, `guides-${client.id}`, installed)
    // `npx` finds it there, as it would find it on the registry.
    await symlink(dirname(installed), join(terminal.home, 'node_modules'))
    const { folder, installer } = client.skills
    // The rest answers what it would ask.
    const line = `${pageSnippet(client.id, 'Install the skills', origin).copy} --skill '*' --yes`
    const result = await terminal.run(['sh', '-ec', line], { env: { CI: '1' }, input: '' })
    const found = (await readdir(terminal.home, { recursive: true })).filter((path) =>
      path.endsWith('explain-regression/SKILL.md'),
    )
    check(
      `${client.name}: npx skills installs for ${installer} (${found.join(', ')})`,
      found.length > 0,
      result,
    )

    const byHand = await terminal.run(['sh', '-ec', pageSnippet(client.id, 'Fetch one skill', origin).copy], {
      input: '',
    })
    const skill = join(terminal.home, folder, 'explain-regression/SKILL.md')
    check(
      `${client.name}: curl puts a skill into ${folder}`,
      existsSync(skill) && (await readFile(skill, 'utf8')).startsWith('---\nname: explain-regression\n'),
      byHand,
    )
  }
}

const dir = await mkdtemp(join(tmpdir(), 'flamegate-connect-'))
const platform = await startPlatform(join(dir, 'data'), {})
try {
  const { origin } = platform
  const person = await signUpAs(origin, 'Connect', `connect-${process.pid}@example.com`)
  const token = await apiToken(person, ['read'])
  const homes = join(dir, 'homes')
  for (const program of programs) {
    await tryProgram(program, homes, origin, token)
    await trySettings(program, homes, origin)
  }
  await tryGuides(homes, origin)
} finally {
  await platform.stop()
  await rm(dir, { recursive: true, force: true })
}
if (failures.length > 0) {
  console.error(`\n${failures.join('\n')}`)
  process.exitCode = 1
}
