import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Figures } from './subjects/figures.ts'
import { hasProgram, onCore } from './target.ts'

/** Somebody else's load generator: what it did in so many seconds on so many connections, its start included. */
export interface Peer {
  name: string
  /** Goals of ours against it, of requests per second of CPU time: plain requests, and recorded users. */
  goals: { plain: number | null; vu: number | null; tls: number | null }
  run: (url: string, connections: number, seconds: number) => Figures
}

const subject = (name: string) => path.join(import.meta.dirname, 'subjects', name)

/** Those that are installed, or that a registry has; what is missing is told. */
export function findPeers(withArtillery: boolean): Peer[] {
  const peers: Peer[] = []
  const add = (program: string, peer: Peer) => {
    if (hasProgram(program)) peers.push(peer)
    else console.error(`${program} is not installed, and is left out.`)
  }
  const none = { plain: null, vu: null, tls: null }
  add('wrk', {
    name: 'wrk',
    goals: { plain: null, vu: 0.9, tls: 0.95 },
    run: (url, connections, seconds) =>
      timed(['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, url], /(\d+) requests in/),
  })
  add('hey', {
    name: 'hey',
    goals: none,
    run: (url, connections, seconds) =>
      timed(
        ['hey', '-cpus', '1', '-z', `${seconds}s`, '-c', String(connections), url],
        /\[200\]\s+(\d+) responses/,
      ),
  })
  add('h2load', {
    name: 'h2load --h1',
    goals: none,
    run: (url, connections, seconds) =>
      timed(
        ['h2load', '--h1', '-c', String(connections), '-D', String(seconds), url],
        /requests: (\d+) total/,
      ),
  })
  add('ab', {
    name: 'ab -k',
    goals: none,
    run: (url, connections, seconds) =>
      timed(
        ['ab', '-k', '-q', '-t', String(seconds), '-n', '100000000', '-c', String(connections), url],
        /Complete requests:\s+(\d+)/,
      ),
  })
  // Both in Node.js, warmed up as ours is.
  for (const [name, file] of [
    ['a bare socket of Node.js', 'bare-socket.ts'],
    ['undici, dispatch', 'undici.ts'],
  ] as const)
    peers.push({
      name,
      goals: none,
      run: (url, connections, seconds) =>
        figuresOf([process.execPath, subject(file), url, String(connections), '100000', String(seconds)]),
    })
  const autocannon = installed('autocannon', '9.0.0')
  if (autocannon !== undefined)
    peers.push({
      name: 'autocannon',
      goals: { plain: null, vu: 1.7, tls: null },
      run: (url, connections, seconds) =>
        figuresOf([
          process.execPath,
          subject('autocannon.ts'),
          autocannon,
          url,
          String(connections),
          String(seconds),
        ]),
    })
  const artillery = withArtillery ? installed('artillery', '2.0.34') : undefined
  if (artillery !== undefined)
    peers.push({
      name: 'artillery',
      goals: { plain: null, vu: 30, tls: null },
      // Its users end after a request each, unless they are told to loop.
      run: (url, connections, seconds) => runArtillery(artillery, url, connections, seconds),
    })
  return peers
}

/** A subject of ours, which tells its figures as the last line. */
export function figuresOf(command: readonly string[]): Figures {
  const [program = '', ...args] = [...onCore(1), ...command]
  const output = execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')
}

/** What a program says that it did, and the CPU time that it took, as the shell tells it. */
function timed(command: readonly string[], count: RegExp): Figures {
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', ...onCore(1), ...command],
    { encoding: 'utf8', maxBuffer: 1e8, env: { ...process.env, LC_ALL: 'C' } },
  )
  const answered = Number(count.exec(`${stdout}\n${stderr}`)?.[1] ?? Number.NaN)
  const [, user, system] = /([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? []
  if (Number.isNaN(answered)) throw new Error(`${command[0]} did not say what it did: ${stdout} ${stderr}`)
  const cpuSeconds = Number(user) + Number(system)
  return { requests: answered, cpuSeconds, answered, failed: 0, p50Ms: null, p99Ms: null }
}

function runArtillery(folder: string, url: string, connections: number, seconds: number): Figures {
  const files = mkdtempSync(path.join(tmpdir(), 'flamegate-bench-artillery-'))
  const [script, report] = [path.join(files, 'script.json'), path.join(files, 'report.json')]
  const { origin, pathname } = new URL(url)
  const config = {
    config: {
      target: origin,
      phases: [{ duration: 1, arrivalCount: connections }],
      http: { pool: connections },
    },
    scenarios: [{ flow: [{ loop: [{ get: { url: pathname } }], count: 100 * seconds }] }],
  }
  writeFileSync(script, JSON.stringify(config))
  try {
    const command = [process.execPath, path.join(folder, 'bin/run'), 'run', '--quiet', '-o', report, script]
    const { cpuSeconds } = timed(command, /()/)
    const told: unknown = JSON.parse(readFileSync(report, 'utf8'))
    const answered = Number(/"http\.codes\.200":\s*(\d+)/.exec(JSON.stringify(told))?.[1])
    return { requests: answered, cpuSeconds, answered, failed: 0, p50Ms: null, p99Ms: null }
  } finally {
    rmSync(files, { recursive: true })
  }
}

/** The folder of a package, installed once into the temporary folder without what it would run then; undefined without a registry. */
function installed(name: string, version: string): string | undefined {
  const folder = path.join(tmpdir(), `flamegate-bench-${name}-${version}`)
  const found = path.join(folder, 'node_modules', name)
  if (existsSync(path.join(folder, 'node_modules/.package-lock.json'))) return found
  mkdirSync(folder, { recursive: true })
  const install = [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${name}@${version}`,
  ]
  try {
    execFileSync('npm', install, { stdio: 'ignore' })
    return found
  } catch {
    console.error(`${name} could not be installed, and is left out.`)
    return undefined
  }
}
