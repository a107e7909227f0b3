import { createServer } from 'node:http'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '@flamegate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { readsProfiles } from './testing/read-profiles.ts'
import { runForTest } from './testing/run-for-test.ts'
import { serveApi, type TestApi } from './testing/serve-api.ts'
import { stubPrograms } from './testing/stub-programs.ts'

const place = ['--repository', 'prj_01']

/** What was uploaded: name, file name, type, tags and text of each profile. */
function uploads({ calls }: TestApi) {
  return calls
    .filter(({ operation }) => operation === 'create_profile_upload')
    .map(({ input: { name, file_name, type, tags, content } }) => ({
      name,
      file_name,
      type,
      tags,
      text: Buffer.from(String(content), 'base64').toString(),
    }))
}

/** A program in Go as far as its profiles go: each says its path. */
async function servePprof(answer: (path: string) => { status: number; text: string }): Promise<string> {
  const server = createServer((request, response) => {
    const { status, text } = answer(request.url ?? '')
    response.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  return `127.0.0.1:${address.port}`
}

/** Runs `flamegate profile` among stubs, against an API that reads everything. */
async function profileWith(
  scripts: Readonly<Record<string, string>>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const api = await serveApi(readsProfiles)
  const stubs = await stubPrograms(scripts)
  const outcome = await runForTest(['profile', ...place, ...args], {
    url: api.url,
    cwd: stubs.folder,
    env: { PATH: stubs.path, ...env },
  })
  return { ...outcome, uploads: uploads(api), calls: await stubs.calls() }
}

test('profile uploads files that are there, of any format', async () => {
  const api = await serveApi(readsProfiles)
  const { folder, path } = await stubPrograms({})
  await writeFile(join(folder, 'a.out'), 'A')
  await writeFile(join(folder, 'b.jfr'), 'B')
  const { exitCode, out } = await runForTest(['profile', 'a.out', 'b.jfr', ...place, '--tag', 'night'], {
    url: api.url,
    cwd: folder,
    env: { PATH: path },
  })
  expect(exitCode).toBe(0)
  expect(uploads(api)).toEqual([
    { file_name: 'a.out', tags: ['night'], text: 'A', name: undefined, type: undefined },
    { file_name: 'b.jfr', tags: ['night'], text: 'B', name: undefined, type: undefined },
  ])
  expect(out).toContain('a.out: read as pprof, is profile prf_1')
})

test.each([
  [['--type', 'cpu'], '/debug/pprof/profile?seconds=10'],
  [['--seconds', '3'], '/debug/pprof/profile?seconds=3'],
  [['--heap'], '/debug/pprof/heap'],
  [['--type', 'mutex', '--seconds', '1m'], '/debug/pprof/mutex?seconds=60'],
])('profile --pprof %j asks the program for %s', async (options, path) => {
  const host = await servePprof((asked) => ({ status: 200, text: asked }))
  const { exitCode, uploads: sent } = await profileWith({}, ['--pprof', `http://${host}/`, ...options])
  expect(exitCode).toBe(0)
  expect(sent).toMatchObject([{ text: path, name: expect.stringContaining(` of ${host}`) }])
})

test('profile --pprof says what a program lacks, and passes on what it says', async () => {
  const without = await servePprof(() => ({ status: 404, text: 'page not found' }))
  expect(await profileWith({}, ['--pprof', without])).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('import _ "net/http/pprof"'),
    uploads: [],
  })
  const busy = await servePprof(() => ({ status: 500, text: 'cpu profiling already in use' }))
  expect((await profileWith({}, ['--pprof', busy])).error).toContain('cpu profiling already in use')
})

test('profile --every goes on after a failure, as its own upload each time, until it is refused', async () => {
  let asked = 0
  const host = await servePprof(() => ({ status: ++asked === 2 ? 500 : 200, text: 'the same bytes' }))
  const api = await serveApi({
    ...readsProfiles,
    create_profile_upload: (input, callNumber) => {
      if (callNumber === 3) throw new Problem('insufficient_role', 'No more.')
      return readsProfiles['create_profile_upload']?.(input, callNumber) ?? {}
    },
  })
  const { exitCode, error } = await runForTest(
    ['profile', ...place, '--pprof', host, '--type', 'heap', '--every', '0.05s'],
    { url: api.url },
  )
  expect([exitCode, asked]).toEqual([1, 4])
  expect(error).toMatch(/^\d{4}-.*answered 500: the same bytes$/m)
  const keys = api.calls
    .filter(({ operation }) => operation === 'create_profile_upload')
    .map((call) => call.idempotencyKey)
  expect(new Set(keys).size).toBe(3)
})

test('profile --every goes on when the storage is in trouble', async () => {
  const host = await servePprof(() => ({ status: 200, text: 'a profile' }))
  const api = await serveApi(
    {
      ...readsProfiles,
      create_profile_upload: (input, callNumber) => {
        if (callNumber === 4) throw new Problem('insufficient_role', 'No more.')
        const upload = { method: 'PUT', url: `/objects/${callNumber}`, headers: {} }
        return { ...readsProfiles['create_profile_upload']?.(input, callNumber), upload }
      },
    },
    { uploadStatuses: [201, 503, 503, 503, 503, 503, 201] },
  )
  const { exitCode, error } = await runForTest(
    ['profile', ...place, '--pprof', host, '--type', 'heap', '--every', '0.05s'],
    { url: api.url },
  )
  expect([exitCode, api.uploads.length]).toEqual([1, 7])
  expect(error).toMatch(/^\d{4}-.*The storage refused .* with status 503\./m)
})

test('profile --every ends at once when the first one fails', async () => {
  const host = await servePprof(() => ({ status: 500, text: 'no' }))
  expect((await profileWith({}, ['--pprof', host, '--every', '1s'])).exitCode).toBe(1)
})

test('profile --node runs the command with the profiler, and passes on its exit code', async () => {
  const program = ['-e', 'console.log("hello"); setTimeout(() => process.exit(3), 50)']
  const outcome = await profileWith({}, ['--node', '--', process.execPath, ...program])
  expect(outcome).toMatchObject({ exitCode: 3, out: expect.stringContaining('hello\n') })
  expect(outcome.uploads).toMatchObject([{ type: 'cpu', file_name: expect.stringMatching(/\.cpuprofile$/) }])
  expect(JSON.parse(outcome.uploads[0]?.text ?? '')).toHaveProperty('samples')
})

test('profile --node --seconds ends the command as Ctrl-C would, and has its profile', async () => {
  // Shorter than any start takes: the time is counted from when it is profiled.
  const outcome = await profileWith({}, [
    '--node',
    '--heap',
    '--seconds',
    '0.01',
    '--',
    process.execPath,
    '-e',
    'setInterval(() => {}, 1000)',
  ])
  expect(outcome).toMatchObject({ exitCode: 0, uploads: [{ type: 'heap' }] })
})

test('profile --node reaches a node that another program starts', async () => {
  const outcome = await profileWith({}, ['--node', '--', 'sh', '-c', `${process.execPath} -e 0`])
  expect(outcome).toMatchObject({ exitCode: 0, uploads: [{ name: 'cpu of sh '.concat(baseOfNode()) }] })
})

/** What follows `-c` begins with the path of node; its last part is in the name. */
function baseOfNode(): string {
  return `${process.execPath} -e 0`.split('/').at(-1) ?? ''
}

test.each([
  [['--', 'app.py', '--fast'], 'python3 -m cProfile -o <file> app.py --fast'],
  [['--', 'python3', '-u', 'app.py'], 'python3 -u -m cProfile -o <file> app.py'],
  [['--', 'python3', '-X', 'dev', '-m', 'app'], 'python3 -X dev -m cProfile -o <file> -m app'],
])('profile --python %j runs %s', async (command, line) => {
  const writes = 'for word; do case "$last" in -o) echo stats > "$word";; esac; last="$word"; done'
  const outcome = await profileWith({ python3: writes }, ['--python', ...command])
  expect(outcome).toMatchObject({ exitCode: 0, uploads: [{ text: 'stats\n', file_name: 'cpu.pstats' }] })
  expect(outcome.calls.map((call) => call.replace(/\S+cpu\.pstats/, '<file>'))).toEqual([line])
})

test('profile --perf samples a process for its time, and uploads its stacks as text', async () => {
  const perf = `case $1 in
    record) trap 'echo data > "$6"; exit 0' INT; while :; do sleep 0.05; done;;
    script) echo stacks;;
  esac`
  const outcome = await profileWith({ perf }, ['--perf', '-p', '42', '--seconds', '0.3'])
  expect(outcome).toMatchObject({
    exitCode: 0,
    uploads: [{ text: 'stacks\n', file_name: 'cpu.perf.txt', name: 'cpu of process 42' }],
  })
  expect(outcome.calls[0]).toMatch(/^perf record -F 499 -g -o \S+ -p 42$/)
})

test('profile --perf says what to do where it is not permitted', async () => {
  const perf = 'echo "No permission to enable cycles" >&2; exit 255'
  const { exitCode, error } = await profileWith({ perf }, ['--perf', '42'])
  expect(exitCode).toBe(1)
  expect(error).toContain('It said: No permission to enable cycles')
  expect(error).toContain('kernel.perf_event_paranoid')
})

test('profile --jfr starts, writes and stops a recording of its own', async () => {
  const jcmd = `case $2 in
    JFR.start) echo "Started recording 1.";;
    JFR.dump) echo recording > "\${4#filename=}";;
  esac`
  const outcome = await profileWith({ jcmd }, ['--jfr', '42', '--seconds', '0.1'])
  // What it measured stands in the recording.
  expect(outcome).toMatchObject({ exitCode: 0, uploads: [{ text: 'recording\n', type: undefined }] })
  expect(
    outcome.calls.map((call) => call.replace(/flamegate-\w{8}/, '<name>').split(' filename')[0]),
  ).toEqual([
    'jcmd 42 JFR.start name=<name> settings=profile',
    'jcmd 42 JFR.dump name=<name>',
    'jcmd 42 JFR.stop name=<name>',
  ])
})

test('profile --jfr -- records a command from its start', async () => {
  const java = 'file=${1##*filename=}; echo recording > "$file"'
  const outcome = await profileWith({ java }, ['--jfr', '--', 'java', '-jar', 'app.jar'])
  expect(outcome).toMatchObject({ exitCode: 0, uploads: [{ text: 'recording\n' }] })
  expect(outcome.calls[0]).toMatch(
    /^java -XX:StartFlightRecording=settings=profile,dumponexit=true,filename=\S+ -jar app\.jar$/,
  )
})

test('profile --callgrind counts a command', async () => {
  const valgrind = 'echo counts > "${2#--callgrind-out-file=}"'
  const outcome = await profileWith({ valgrind }, ['--callgrind', '--', './parse', 'big.json'])
  expect(outcome).toMatchObject({
    exitCode: 0,
    uploads: [{ text: 'counts\n', name: 'cpu of parse big.json' }],
  })
})

test('profile --py-spy says how to get it where it is not there', async () => {
  const outcome = await profileWith({}, ['--py-spy', '42'], { PATH: '/nowhere' })
  expect(outcome).toMatchObject({
    exitCode: 1,
    error: 'py-spy is not there. Install it: pip install py-spy.\n',
    uploads: [],
  })
})

test('profile --dry-run keeps the file and needs no platform', async () => {
  const host = await servePprof(() => ({ status: 200, text: 'profile' }))
  const { folder } = await stubPrograms({})
  const args = ['profile', '--pprof', host, '--heap', '--dry-run']
  expect(await runForTest(args, { cwd: folder, url: 'http://127.0.0.1:1' })).toMatchObject({ exitCode: 0 })
  expect(await readdir(folder)).toEqual(['heap.pb.gz'])
  await runForTest([...args, '--output', 'kept/of-today.pb.gz'], { cwd: folder })
  expect(await readFile(join(folder, 'kept/of-today.pb.gz'), 'utf8')).toBe('profile')
})

test.each([
  [[], 'Name files, or what to take a profile of.'],
  [['--perf', '--jfr', '42'], 'Choose one of --jfr and --perf.'],
  [['--node'], '--node needs a command after --.'],
  [['--node', '42'], '--node needs a command after --.'],
  [['--perf'], '--perf needs the number of a process, or a command after --.'],
  [['--pprof', 'http://a b'], 'http://a b is no address.'],
  [
    ['--perf', '42', '--type', 'heap'],
    'Of any program on Linux, with perf these can be taken: cpu; not heap.',
  ],
  [['--perf', '42', '--seconds', 'soon'], '--seconds soon is no time.'],
  [['--pprof', 'a:1', 'b'], 'There is an argument too many: b'],
  [['a.pb.gz', '--every', '1m'], '--every and --dry-run are for profiles that are taken now'],
])('profile %j is wrong usage', async (args, text) => {
  expect(await runForTest(['profile', ...args])).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining(text),
  })
})
