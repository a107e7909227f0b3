import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  readFileSync,
  writeFileSync,
  type WriteStream,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../packages/embedded-postgres/src/index.ts'
import { startS3TestServer } from '../../../packages/storage/src/s3-test-server.ts'
import { readCompose, type ComposeFile, type Service } from './compose-file.ts'
import { readImageSettings, type ImageSettings } from './image-settings.ts'

/** The user of the images. */
const user = { uid: 1000, gid: 1000 }

/** What there is to start of one version. */
export interface Version {
  /** The folder with docker-compose.yml and deploy/. */
  checkout: string
  /** By stage of the Dockerfile, the folder that has the files of its image. */
  images: ReadonlyMap<string, string>
}

/** What runs for a service. */
interface Running {
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Undefined for what is not a process of its own here. */
  child?: ChildProcess
}

/**
 * docker-compose.yml, run without an engine: each container is a process that is started with the command, the variables, the user
 * and the files of its image; names lead to addresses of loopback (`hostsOf`). PostgreSQL is that of `npm start`, Redis and Caddy are
 * Debian's, and the store is the stand-in of the storage's own tests.
 */
export class Machine {
  readonly #folder: string
  readonly #variables: Record<string, string>
  readonly #running = new Map<string, Running>()
  readonly #starting = new Map<string, Promise<void>>()
  readonly #logs = new Map<string, WriteStream>()
  #version: Version
  #compose: ComposeFile
  #settings: Map<string, ImageSettings>

  constructor(folder: string, variables: Record<string, string>, version: Version) {
    this.#folder = folder
    this.#variables = variables
    this.#version = version
    this.#compose = this.#readCompose()
    this.#settings = this.#readSettings()
  }

  /** From now on containers are made as this version has them; those that run go on as they are. */
  use(version: Version): void {
    this.#version = version
    this.#compose = this.#readCompose()
    this.#settings = this.#readSettings()
  }

  get compose(): ComposeFile {
    return this.#compose
  }

  #readCompose(): ComposeFile {
    return readCompose(join(this.#version.checkout, 'docker-compose.yml'), this.#variables)
  }

  #readSettings(): Map<string, ImageSettings> {
    return readImageSettings(join(this.#version.checkout, 'deploy/Dockerfile'))
  }

  get names(): string[] {
    return [...this.#running.keys()]
  }

  service(name: string): Service {
    const found = this.compose.services[name.replace(/\.\d+$/, '')]
    if (found === undefined) throw new Error(`no such service: ${name}`)
    return found
  }

  /** Starts it, or a new one in its place, after what it depends on. `worker.2` is a second one of its kind. */
  up(name: string, { alone = false } = {}): Promise<void> {
    return this.#onceAtATime(name, async () => {
      const service = this.service(name)
      if (!alone) await this.#upWhatItNeeds(service)
      await this.#running.get(name)?.stop()
      this.#running.set(name, await this.#start(name, service))
      await this.#whenHealthy(name)
    })
  }

  async #upWhatItNeeds({ depends_on: needs }: Service): Promise<void> {
    for (const [needed, { condition }] of Object.entries(needs)) {
      if (condition === 'service_completed_successfully') {
        await this.#onceAtATime(needed, async () => {
          const { exitCode, output } = await this.run(needed, [])
          if (exitCode !== 0) throw new Error(`${needed} ended with ${exitCode}: ${output}`)
        })
      } else if (this.#starting.has(needed) || !this.#running.has(needed)) await this.up(needed)
    }
  }

  /** Several that are started together may need the same. */
  async #onceAtATime(name: string, start: () => Promise<void>): Promise<void> {
    const starting = this.#starting.get(name) ?? start().finally(() => this.#starting.delete(name))
    this.#starting.set(name, starting)
    await starting
  }

  async stop(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const running = this.#running.get(name)
    this.#running.delete(name)
    await running?.stop(signal)
  }

  async stopAll(): Promise<void> {
    const last = ['store', 'redis', 'postgres']
    await Promise.all(this.names.filter((name) => !last.includes(name)).map((name) => this.stop(name)))
    for (const name of last) await this.stop(name)
    for (const log of this.#logs.values()) log.end()
  }

  /** A container of a service that does one thing. `exec` does it in one that runs. */
  async run(
    name: string,
    args: string[],
    options: { exec?: boolean; env?: Record<string, string> } = {},
  ): Promise<{ exitCode: number; output: string }> {
    const service = this.service(name)
    if (options.exec !== true) await this.#upWhatItNeeds(service)
    const { command, env, cwd } = this.#invocation(name, service)
    const fixed = service.entrypoint ?? this.#imageOf(service)?.entrypoint ?? []
    const given =
      options.exec === true ? args : [...fixed, ...(args.length > 0 ? args : command.slice(fixed.length))]
    const [program = '', ...rest] = given
    const isOurs = service.build !== undefined
    const child = spawn(program === 'node' ? process.execPath : program, rest, {
      cwd,
      env: { ...env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isOurs ? user : {}),
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(child, 'close')
    return { exitCode: child.exitCode ?? 1, output }
  }

  /** What a service has said so far. */
  said(name: string): string {
    return readFileSync(this.#logPath(name), 'utf8')
  }

  /** Where a path of a service's container is here: in one of the folders that it shares with the machine, else as it is. */
  pathOf(name: string, path: string): string {
    for (const volume of this.service(name).volumes) {
      const [from = '', to = ''] = volume.split(':')
      if (!from.startsWith('./') || !(path === to || path.startsWith(`${to}/`))) continue
      // Docker makes a folder that is not there, as root.
      mkdirSync(join(this.#folder, from), { recursive: true })
      return join(this.#folder, from, path.slice(to.length))
    }
    return path
  }

  #volume(name: string, mode = 0o755): string {
    const path = join(this.#folder, 'volumes', name)
    mkdirSync(path, { recursive: true })
    chmodSync(path, mode)
    return path
  }

  #logPath(name: string): string {
    return join(this.#folder, `${name}.log`)
  }

  #imageOf({ build }: Service): ImageSettings | undefined {
    return build && this.#settings.get(build.target)
  }

  #invocation(name: string, service: Service) {
    const image = this.#imageOf(service)
    const cwd = (service.build && this.#version.images.get(service.build.target)) ?? this.#folder
    const fixed = service.entrypoint ?? image?.entrypoint ?? []
    const said = typeof service.command === 'string' ? service.command.split(' ') : service.command
    const command = [...fixed, ...(said ?? (service.entrypoint === undefined ? (image?.command ?? []) : []))]
    const own = Object.entries({ ...image?.env, ...service.environment }).map(([key, value]) => [
      key,
      value.replace(/^\/flamegate(?=\/)/, cwd),
    ])
    const env: Record<string, string> = {
      PATH: process.env['PATH'] ?? '',
      // They are started often, and compiled once.
      NODE_COMPILE_CACHE: this.#volume('compiled', 0o777),
      ...Object.fromEntries(own),
    }
    if (env['FLAMEGATE_PORT'] !== undefined) env['FLAMEGATE_HOST'] = addressOf(this.compose, name)
    // As the images' programs are called by whoever is in the container.
    if (name === 'postgres') {
      Object.assign(env, {
        PGHOST: '127.0.0.1',
        PGUSER: 'postgres',
        PGPASSWORD: env['POSTGRES_PASSWORD'] ?? '',
      })
    }
    return { command, env, cwd }
  }

  async #start(name: string, service: Service): Promise<Running> {
    if (name === 'postgres') return this.#startPostgres(service)
    if (name === 'store') return this.#startStore()
    const { command, env, cwd } = this.#invocation(name, service)
    if (name === 'proxy') {
      const home = { HOME: this.#volume('certificates'), XDG_DATA_HOME: this.#volume('certificates') }
      const config = join(this.#folder, 'Caddyfile')
      // In a container it has the port to itself on all addresses.
      const given = readFileSync(join(this.#version.checkout, 'deploy/compose/Caddyfile'), 'utf8')
      writeFileSync(config, given.replace('\tadmin off\n', '\tadmin off\n\tdefault_bind 127.0.0.1\n'))
      return this.#process(
        name,
        ['caddy', 'run', '--adapter', 'caddyfile', '--config', config],
        { ...env, ...home },
        cwd,
      )
    }
    if (name === 'redis')
      return this.#process(name, [...command, '--bind', '127.0.0.1'], env, this.#volume('jobs'))
    return this.#process(name, command, env, cwd, user)
  }

  #process(
    name: string,
    [program = '', ...args]: string[],
    env: Record<string, string>,
    cwd: string,
    as: { uid?: number; gid?: number } = {},
  ): Running {
    const log = this.#logs.get(name) ?? createWriteStream(this.#logPath(name), { flags: 'a' })
    this.#logs.set(name, log)
    const child = spawn(program === 'node' ? process.execPath : program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...as,
    })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    return {
      child,
      async stop(signal = 'SIGTERM') {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, 'exit')
        child.kill(signal)
        await ended
      },
    }
  }

  async #startPostgres({ environment }: Service): Promise<Running> {
    const server: EmbeddedPostgres = await startEmbeddedPostgres({
      dataDir: join(this.#volume('database'), 'data'),
      password: environment['POSTGRES_PASSWORD'] ?? '',
      preferredPort: 5432,
    })
    if (server.port !== 5432) throw new Error('Port 5432 is in use')
    return { stop: () => server.stop() }
  }

  async #startStore(): Promise<Running> {
    const store = await startS3TestServer(this.#volume('files'))
    const behind = Number(new URL(store.endpoint).port)
    const front: Server = createServer((socket) => {
      const passed = connect(behind, '127.0.0.1')
      socket.pipe(passed).pipe(socket)
      socket.on('error', () => passed.destroy())
      passed.on('error', () => socket.destroy())
    })
    front.listen(7070, '127.0.0.1')
    await once(front, 'listening')
    return {
      async stop() {
        front.close()
        await store.close()
      },
    }
  }

  async #whenHealthy(name: string): Promise<void> {
    const child = this.#running.get(name)?.child
    const port = this.#invocation(name, this.service(name)).env['FLAMEGATE_PORT']
    const look = async (): Promise<boolean> => {
      if (port !== undefined) {
        const answer = await fetch(`http://${addressOf(this.compose, name)}:${port}/readyz`).catch(
          () => undefined,
        )
        return answer?.ok === true
      }
      const { healthcheck } = this.service(name)
      if (child !== undefined && healthcheck !== undefined) {
        const [, ...words] = healthcheck.test
        return (await this.run(name, words, { exec: true })).exitCode === 0
      }
      return true
    }
    const deadline = Date.now() + 300_000
    while (!(await look())) {
      if (child?.exitCode !== null && child !== undefined)
        throw new Error(`${name} ended: ${this.said(name)}`)
      if (Date.now() > deadline) throw new Error(`${name} is not healthy: ${this.said(name).slice(-2_000)}`)
      await pause(100)
    }
  }
}

/** Where a service listens: those of one alias apart, everything else at the ordinary address. */
function addressOf({ services }: ComposeFile, name: string): string {
  const alike = Object.keys(services).filter((each) => Object.keys(services[each]?.networks ?? {}).length > 0)
  const at = alike.indexOf(name)
  return at === -1 ? '127.0.0.1' : `127.77.0.${at + 1}`
}

/** The lines of /etc/hosts by which the services find each other. */
export function hostsOf(compose: ComposeFile): string {
  const lines = Object.entries(compose.services).flatMap(([name, { networks }]) =>
    [name, ...Object.values(networks).flatMap(({ aliases }) => aliases)].map(
      (each) => `${addressOf(compose, name)} ${each}`,
    ),
  )
  return `127.0.0.1 localhost\n${lines.join('\n')}\n`
}
