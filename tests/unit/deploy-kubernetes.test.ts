import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { documentsIn, faultOf } from './kubernetes-schemas.ts'

/** What is applied to a cluster, as `kubectl` renders it, against the schemas of Kubernetes, KEDA and Sealed Secrets. */

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/kubernetes')
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
if (!hasKubectl) console.warn('SKIPPED: kubectl is missing, and no overlay of deploy/kubernetes is rendered.')

test('the schemas refuse what is not right', () => {
  const [wrong] = documentsIn(
    '{ apiVersion: apps/v1, kind: Deployment, metadata: { name: x }, spec: { replica: 2 } }',
  )
  expect(wrong && faultOf(wrong)).toMatch(/selector|template|replica/)
})

test('agents by demand are what KEDA takes', () => {
  const text = readFileSync(join(folder, 'load-agents.yaml'), 'utf8')
  expect(documentsIn(text).map(faultOf)).toEqual([undefined, undefined])
})

const podTemplate = z.looseObject({
  metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({
    securityContext: z.looseObject({ runAsNonRoot: z.boolean() }).optional(),
    containers: z.array(
      z.looseObject({
        image: z.string(),
        imagePullPolicy: z.string().optional(),
        envFrom: z.array(z.record(z.string(), z.object({ name: z.string() }))).default([]),
        securityContext: z.looseObject({ readOnlyRootFilesystem: z.boolean().optional() }).optional(),
      }),
    ),
  }),
})
const wayIn = z.looseObject({
  podSelector: z.looseObject({ matchLabels: z.record(z.string(), z.string()).optional() }),
  ingress: z
    .array(z.looseObject({ ports: z.array(z.looseObject({ port: z.number() })).default([]) }))
    .default([]),
})
const cronJob = z.looseObject({
  spec: z.looseObject({
    jobTemplate: z.looseObject({ spec: z.looseObject({ template: podTemplate }) }),
  }),
})
const selecting = z.looseObject({
  spec: z.looseObject({
    selector: z
      .union([
        z.looseObject({ matchLabels: z.record(z.string(), z.string()) }),
        z.record(z.string(), z.string()),
      ])
      .optional(),
    podSelector: z.looseObject({ matchLabels: z.record(z.string(), z.string()).optional() }).optional(),
    scaleTargetRef: z.looseObject({ name: z.string() }).optional(),
  }),
})

describe.runIf(hasKubectl).each(['trial', 'production'])('the overlay %s', (overlay) => {
  const { stdout, stderr } = spawnSync('kubectl', ['kustomize', join(folder, 'overlays', overlay)], {
    encoding: 'utf8',
  })
  // Long values are broken into lines, as base64 may be; the schema takes one line only.
  const documents =
    stdout === ''
      ? []
      : documentsIn(
          stdout.replaceAll(
            /: \|\n(?: {4}\S+\n)+/g,
            (block) => `: ${block.slice(2).replaceAll(/[|\s]/g, '')}\n`,
          ),
        )
  const named = (kind: string) => documents.filter((each) => each.kind === kind)
  const there = (kind: string) => named(kind).map(({ metadata }) => metadata.name)
  const pods = documents.flatMap((each) => {
    const template = z.looseObject({ spec: z.looseObject({ template: podTemplate }) }).safeParse(each)
    return template.success ? [{ each, pod: template.data.spec.template }] : []
  })
  const ourContainers = [
    ...pods.map(({ pod }) => pod),
    ...named('CronJob').map((each) => cronJob.parse(each).spec.jobTemplate.spec.template),
  ]
    .flatMap(({ spec }) => spec.containers)
    .filter(({ image }) => image.includes('flamegate/'))
  const labels = pods.map(({ pod }) => pod.metadata.labels['app.kubernetes.io/name'])

  test('is rendered, and is what its schemas say', () => {
    expect(stderr).toBe('')
    expect(documents.map((each) => [each.kind, each.metadata.name, faultOf(each)])).toEqual(
      documents.map((each) => [each.kind, each.metadata.name, undefined]),
    )
    expect(labels).toEqual(expect.arrayContaining(['gateway', 'api', 'worker', 'prepare', 'admin']))
    expect(new Set(documents.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['flamegate']))
  })

  test('has what is referred to: settings, secrets, pods, what is scaled', () => {
    const sources = pods.flatMap(({ pod }) => pod.spec.containers.flatMap(({ envFrom }) => envFrom))
    const asked = (kind: string) => sources.flatMap((each) => each[kind]?.name ?? [])
    expect(there('ConfigMap')).toEqual(expect.arrayContaining(asked('configMapRef')))
    expect([...there('Secret'), ...there('SealedSecret')]).toEqual(expect.arrayContaining(asked('secretRef')))
    const choosing = [...named('Service'), ...named('PodDisruptionBudget'), ...named('NetworkPolicy')]
    const chosen = choosing.flatMap((each) => {
      const { selector, podSelector } = selecting.parse(each).spec
      const given = z
        .looseObject({ matchLabels: z.record(z.string(), z.string()).optional() })
        .parse(selector ?? podSelector)
      return given.matchLabels?.['app.kubernetes.io/name'] ?? given['app.kubernetes.io/name'] ?? []
    })
    expect(labels).toEqual(expect.arrayContaining(chosen))
    for (const each of [...named('HorizontalPodAutoscaler'), ...named('ScaledObject')]) {
      expect(there('Deployment')).toContain(selecting.parse(each).spec.scaleTargetRef?.name)
    }
  })

  test('runs ours as nobody who may write, and lets nobody but the gateway reach the API', () => {
    const ourPods = pods.filter(({ pod }) =>
      pod.spec.containers.some(({ image }) => image.includes('flamegate/')),
    )
    expect(ourPods).toHaveLength(5)
    for (const { pod } of ourPods) {
      expect(pod.spec.securityContext?.runAsNonRoot).toBe(true)
      for (const { securityContext } of pod.spec.containers)
        expect(securityContext?.readOnlyRootFilesystem).toBe(true)
    }
    const toApi = named('NetworkPolicy').find(({ metadata }) => metadata.name === 'to-api')
    expect(toApi?.['spec']).toMatchObject({
      ingress: [{ from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } } }] }],
    })
    expect(named('NetworkPolicy').map(({ metadata }) => metadata.name)).toContain('nobody')
  })

  test('lets the ingress reach the pod by which cert-manager proves its name, where certificates are asked for', () => {
    const asks = JSON.stringify(named('Ingress')).includes('cert-manager.io/cluster-issuer')
    expect(asks).toBe(overlay === 'production')
    // https://cert-manager.io/docs/installation/best-practice/#network-requirements-and-network-policy
    const ways = named('NetworkPolicy').flatMap(({ spec }) => {
      const { podSelector, ingress } = wayIn.parse(spec)
      const isToSolver = podSelector.matchLabels?.['acme.cert-manager.io/http01-solver'] === 'true'
      return isToSolver ? ingress.flatMap(({ ports }) => ports.map(({ port }) => port)) : []
    })
    expect(ways).toEqual(asks ? [8089] : [])
  })

  test('takes images that are there already where none is to be had elsewhere', () => {
    const policies = ourContainers.map(({ image, imagePullPolicy }) => [image, imagePullPolicy])
    // Of `latest` Kubernetes asks a registry each time, unless it is told otherwise.
    const wanted = overlay === 'trial' ? 'IfNotPresent' : undefined
    expect(policies).toEqual(ourContainers.map(({ image }) => [image, wanted]))
    expect(policies).toHaveLength(6)
  })

  test('sets what the processes know', () => {
    const known = new Set(
      readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8').match(/[A-Z][A-Z\d_]+/g),
    )
    // Only the preparation has these two.
    for (const name of ['FLAMEGATE_DATABASE_ADMIN_URL', 'FLAMEGATE_DATABASE_OWNER_URL']) known.add(name)
    const data = z.looseObject({
      data: z.record(z.string(), z.string()).optional(),
      spec: z.looseObject({ encryptedData: z.record(z.string(), z.string()) }).optional(),
    })
    const names = [...named('ConfigMap'), ...named('Secret'), ...named('SealedSecret')].flatMap((each) => {
      const { data: plain, spec } = data.parse(each)
      return Object.keys(plain ?? spec?.encryptedData ?? {})
    })
    expect(names.filter((name) => !known.has(name))).toEqual([])
    expect(names).toContain('FLAMEGATE_PUBLIC_URL')
    // As with Compose: who administers it, and what single sign-on asks.
    expect(names).toEqual(
      expect.arrayContaining([
        'FLAMEGATE_ADMINS',
        'FLAMEGATE_SSO_DOMAINS',
        'FLAMEGATE_DNS_SERVERS',
        'FLAMEGATE_TARGETS_ALLOWED',
      ]),
    )
  })
})
