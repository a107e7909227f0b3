import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { agent } from '../../apps/cli/src/commands/agent.ts'

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

test('a Job starts an agent that is there, with options that it has', () => {
  const [{ command, env }] = scaledJob.parse(job).spec.jobTargetRef.template.spec.containers
  expect(command.slice(0, 3)).toEqual(['node', 'apps/cli/src/main.ts', agent.name])
  expect(readFileSync(join(root, command[1] ?? ''), 'utf8')).not.toBe('')
  const options = command.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
  expect(options).toEqual(['group', 'workspace', 'once'])
  expect(agent.options.map(({ name }) => name)).toEqual(expect.arrayContaining(options))
  expect(env.map(({ name }) => name)).toEqual(['FLAMEGATE_URL', 'FLAMEGATE_TOKEN'])
})

const compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).default({}),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
      volumes: z.array(z.string()).default([]),
      healthcheck: z.object({ disable: z.boolean().optional() }).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
})

test('Compose starts programs that are there, with settings that they know, after what they need', () => {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
  const { services, volumes } = compose.parse(parse(text, { merge: true }))
  const settings = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8')
  const ours = Object.values(services).filter(({ command }) => command?.[0] === 'node')
  expect(ours).toHaveLength(4)
  for (const { command = [], environment } of ours) {
    const program = readFileSync(join(root, command[1] ?? ''), 'utf8')
    const known = new Set(`${settings} ${program}`.match(/[A-Z][A-Z\d_]+/g))
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([])
  }
  for (const each of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(each.depends_on)) {
      expect(Object.keys(services)).toContain(name)
      // Who is never healthy is waited for without end.
      expect([condition, services[name]?.healthcheck?.disable]).not.toEqual(['service_healthy', true])
    }
    for (const volume of each.volumes) expect(Object.keys(volumes)).toContain(volume.split(':')[0])
  }
})
