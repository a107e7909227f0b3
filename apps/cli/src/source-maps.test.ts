import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { gitCheckout } from './testing/git-checkout.ts'
import { readsProfiles } from './testing/read-profiles.ts'
import { runForTest } from './testing/run-for-test.ts'
import { serveApi } from './testing/serve-api.ts'

const map = {
  version: 3,
  sources: ['../src/server.ts'],
  sourcesContent: ['const secret = 1'],
  x_sources: 'let secret',
  names: [],
  mappings: 'AAAA',
}
const mapText = JSON.stringify(map)

async function folderWith(files: Readonly<Record<string, string>>, folder?: string): Promise<string> {
  const root = folder ?? (await mkdtemp(join(tmpdir(), 'flamegate-cli-')))
  if (folder === undefined) onTestFinished(() => rm(root, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return realpath(root)
}

function profileOf(...urls: string[]): string {
  return JSON.stringify({ nodes: urls.map((url, id) => ({ id, callFrame: { functionName: 'f', url } })) })
}

/** Runs a command line, and gives what was uploaded: an archive's files by name, or the bytes themselves. */
async function uploadedBy(args: readonly string[], cwd: string) {
  const api = await serveApi(readsProfiles)
  const outcome = await runForTest([...args, '--repository', 'prj_01'], { url: api.url, cwd })
  const input = api.calls.find(({ operation }) => operation === 'create_profile_upload')?.input ?? {}
  const bytes = Buffer.from(String(input['content']), 'base64')
  return { ...outcome, input, bytes, files: isGzip(bytes) ? untar(gunzipSync(bytes)) : undefined }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

test.each(['upload', 'profile'])(
  '%s sends the source maps of scripts with their profile',
  async (command) => {
    const { folder } = await gitCheckout(['start'])
    const root = await folderWith({ 'dist/main.js': '//# sourceMappingURL=maps/a.json\n' }, folder)
    const script = pathToFileURL(join(root, 'dist/main.js')).href
    const profile = profileOf(script, 'node:fs')
    await folderWith({ 'dist/maps/a.json': mapText, 'cpu.cpuprofile': profile }, folder)
    const { exitCode, out, input, files } = await uploadedBy([command, 'cpu.cpuprofile'], root)
    expect(exitCode).toBe(0)
    expect(out).toContain('cpu.cpuprofile: read as pprof with 1 source map, is profile prf_1')
    expect(input).toMatchObject({ name: 'cpu.cpuprofile', file_name: 'cpu.cpuprofile.tar.gz' })
    // By its path in the checkout, so that sources are told from there; without what they hold.
    const { sourcesContent: _, x_sources: __, ...sent } = map
    expect(Object.keys(files ?? {})).toEqual(['cpu.cpuprofile', 'dist/maps/a.json.map'])
    expect(files?.['cpu.cpuprofile']).toBe(profile)
    expect(JSON.parse(files?.['dist/maps/a.json.map'] ?? '')).toEqual({ ...sent, file: script })
  },
)

test('a gzipped profile stays as it is, and outside of a checkout maps have their whole path', async () => {
  const root = await folderWith({ 'main.js': 'f()', 'main.js.map': mapText })
  const zipped = gzipSync(profileOf(join(root, 'main.js')))
  await writeFile(join(root, 'a.cpuprofile.gz'), zipped)
  const { bytes } = await uploadedBy(['upload', 'a.cpuprofile.gz'], root)
  const archive = gunzipSync(bytes)
  expect(archive.includes(zipped)).toBe(true)
  expect(archive.includes(`${root.slice(-20)}/main.js.map`)).toBe(true)
})

test.each([
  ['base64', `data:application/json;base64,${Buffer.from(mapText).toString('base64')}`],
  ['percent-encoded', `data:application/json,${encodeURIComponent(mapText)}`],
])('a map within its script is sent, %s', async (_how, link) => {
  const root = await folderWith({ 'main.js': `f()\n//# sourceMappingURL=${link}\n` })
  await writeFile(join(root, 'a.cpuprofile'), profileOf(join(root, 'main.js')))
  const { files } = await uploadedBy(['upload', 'a.cpuprofile'], root)
  expect(Object.values(files ?? {})).toHaveLength(2)
  expect(Object.values(files ?? {})[1]).toContain('../src/server.ts')
})

test('--source-maps finds maps by name, those in folders like the script first', async () => {
  const script = 'https://shop.example/assets/b/main.js?v=2'
  const root = await folderWith({
    'dist/assets/a/main.js.map': JSON.stringify({ ...map, sources: ['a.ts'] }),
    'dist/assets/b/main.js.map': JSON.stringify({ ...map, sources: ['b.ts'] }),
    'a.cpuprofile': profileOf(script),
  })
  expect((await uploadedBy(['upload', 'a.cpuprofile'], root)).files).toBeUndefined()
  const { files } = await uploadedBy(['upload', 'a.cpuprofile', '--source-maps', 'dist'], root)
  expect(JSON.parse(Object.values(files ?? {})[1] ?? '')).toMatchObject({ file: script, sources: ['b.ts'] })
  const nowhere = await uploadedBy(['upload', 'a.cpuprofile', '--source-maps', 'build'], root)
  expect(nowhere).toMatchObject({ exitCode: 2, error: expect.stringContaining('nothing there') })
})

test.each([
  ['a script that has its own', 'lib/index.js', 'own.ts'],
  ['one of a dependency', 'node_modules/tiny/index.js', undefined],
  ['one that has none', 'bin/index.js', 'found.ts'],
])(
  'what --source-maps finds by name is for scripts without a map of their own: %s',
  async (_what, script, source) => {
    const root = await folderWith({
      'lib/index.js': 'f()',
      'lib/index.js.map': JSON.stringify({ ...map, sources: ['own.ts'] }),
      'dist/index.js.map': JSON.stringify({ ...map, sources: ['found.ts'] }),
      'node_modules/tiny/index.js': 'f()',
      'bin/index.js': 'f()',
    })
    await writeFile(join(root, 'a.cpuprofile'), profileOf(join(root, script)))
    const { files } = await uploadedBy(['upload', 'a.cpuprofile', '--source-maps', 'dist'], root)
    const sent = Object.values(files ?? {})[1]
    expect(sent && JSON.parse(sent).sources).toEqual(source && [source])
  },
)

test('maps of sections lose the contents of their sources too', async () => {
  const sections = [{ offset: { line: 0, column: 0 }, map }]
  const root = await folderWith({
    'main.js': 'f()',
    'main.js.map': JSON.stringify({ version: 3, sections }),
  })
  await writeFile(join(root, 'a.cpuprofile'), profileOf(join(root, 'main.js')))
  const { files } = await uploadedBy(['upload', 'a.cpuprofile'], root)
  expect(Object.values(files ?? {})[1]).toContain('../src/server.ts')
  expect(Object.values(files ?? {})[1]).not.toContain('secret')
})

test.each<[what: string, script: string, args: string[]]>([
  ['--no-source-maps', 'f()\n//# sourceMappingURL=main.js.map', ['--no-source-maps']],
  ['a map that is none', 'f()\n//# sourceMappingURL=main.js', []],
  ['a map on a server', 'f()\n//# sourceMappingURL=https://shop.example/main.js.map', []],
])('with %s a profile goes as it is', async (_what, script, args) => {
  const root = await folderWith({ 'lib/main.js': script })
  const profile = profileOf(join(root, 'lib/main.js'))
  await folderWith({ 'a.cpuprofile': profile, 'lib/other.js.map': mapText }, root)
  if (args.length > 0) await writeFile(join(root, 'lib/main.js.map'), mapText)
  const { exitCode, bytes, input } = await uploadedBy(['upload', 'a.cpuprofile', ...args], root)
  expect(exitCode).toBe(0)
  expect(bytes.toString()).toBe(profile)
  expect(input).not.toHaveProperty('name')
})

/** The files of a tar archive, as the system's tar reads it. */
function untar(archive: Uint8Array): Record<string, string> {
  const tar = (args: string[]) =>
    execFileSync('tar', args, { input: archive, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
  const names = tar(['-tPf', '-']).trim().split('\n')
  return Object.fromEntries(names.map((name) => [name, tar(['-xOPf', '-', name])]))
}
