import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createMetricsRegistry,
  createServer,
  createLogger,
  measureBacklog,
  measureFolder,
  measurePools,
  measureQueue,
  measureRefusals,
  measureRequests,
  measureStorage,
  measureToolCalls,
  measureWork,
} from '../../packages/runtime/src/index.ts'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

/** What is under deploy/observability asks for what processes tell, and is right by Prometheus' own tool, where that is installed. */

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/observability')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          record: z.string().optional(),
          alert: z.string().optional(),
          expr: z.string(),
          labels: z.record(z.string(), z.string()).optional(),
          annotations: z.object({ summary: z.string(), runbook: z.string() }).optional(),
        }),
      ),
    }),
  ),
})
const dashboardSchema = z.object({
  uid: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string() })).default([]),
    }),
  ),
})

const rules = rulesSchema.parse(parse(read('rules.yml'))).groups.flatMap((group) => group.rules)
const dashboard = dashboardSchema.parse(JSON.parse(read('grafana-dashboard.json')))
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
const doc = readFileSync(join(root, 'docs/operations/slo.md'), 'utf8')

/** Every metric that any of our processes has. */
function metricsOfOurs(): string[] {
  const registry = createMetricsRegistry()
  measureRequests(createServer({ log: createLogger({ level: 'silent' }) }), registry)
  measurePools(registry, () => [])
  measureQueue(registry, { look: async () => [] })
  measureBacklog(registry, async () => ({ backlog: [], sizeBytes: 0 }))
  measureFolder(registry, folder)
  measureStorage(registry)
  measureRefusals(registry)
  measureToolCalls(registry)
  measureWork(registry)
  return registry.getMetricsAsArray().map(({ name }) => name)
}

test('rules and panels ask only for metrics that a process has, or that a rule records', () => {
  const known = new Set([...metricsOfOurs(), 'up', ...rules.flatMap(({ record = [] }) => record)])
  const asked = [...rules.map(({ expr }) => expr), ...queries].flatMap((expr) =>
    [
      ...expr
        .replaceAll(/\{[^}]*\}|"[^"]*"/g, '')
        .matchAll(/\b(?:flamegate|http|nodejs|process)[a-z0-9_:]*|\bup\b/g),
    ].map(([name]) => name),
  )
  expect(asked.length).toBeGreaterThan(60)
  const unknown = asked.filter(
    (name) => !known.has(name) && !known.has(name.replace(/_(?:bucket|count|sum)$/, '')),
  )
  expect([...new Set(unknown)]).toEqual([])
})

test('panels stand beside each other, each with a name of its own', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  expect(new Set(dashboard.panels.map(({ title }) => title)).size).toBe(dashboard.panels.length)
  const places = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, place) => `${x + (place % w)},${y + Math.floor(place / w)}`),
  )
  expect(new Set(places).size).toBe(places.length)
  expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
})

test('every alert leads to a place that says what to do', () => {
  const alerts = rules.filter(({ alert }) => alert !== undefined)
  expect(alerts.length).toBeGreaterThan(10)
  for (const { alert = '', labels, annotations } of alerts) {
    expect([alert, labels?.['severity']]).toEqual([alert, expect.stringMatching(/^(?:page|ticket)$/)])
    const [page = '', anchor] = annotations?.runbook.split('#') ?? []
    const text = readFileSync(join(root, page), 'utf8')
    if (anchor === undefined) continue
    expect([alert, anchor]).toEqual([alert, alert.toLowerCase()])
    expect([alert, text.includes(`### ${alert}\n`)]).toEqual([alert, true])
  }
})

test('the page of objectives names every objective and every metric of ours', () => {
  const objectives = new Set(rules.flatMap(({ labels }) => labels?.['slo'] ?? []))
  expect([...objectives].filter((name) => !doc.includes(`\`${name}\``))).toEqual([])
  const ours = metricsOfOurs().filter((name) => /^(?:flamegate|http)_/.test(name))
  expect(ours.filter((name) => !doc.includes(`\`${name}\``))).toEqual([])
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) {
  console.warn(
    '\n*** promtool was not found: rules, their tests and the queries of the dashboard are not checked by Prometheus. Install it (Debian: prometheus). ***\n',
  )
}

const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd: folder })
  return { status, said: stdout + stderr }
}

test.skipIf(!hasPromtool).each([
  ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ['check', 'rules', 'rules.yml'],
  ['test', 'rules', 'rules.test.yml'],
])('promtool %s %s takes what is there', (...args) => {
  const { status, said } = promtool(...args)
  expect([status, said]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test.skipIf(!hasPromtool)('Prometheus can read every query of the dashboard', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'flamegate-queries-'))
  const file = join(temporary, 'queries.yml')
  // Grafana puts these in.
  const written = queries.map((expr) => expr.replaceAll('$__rate_interval', '1m'))
  const group = { name: 'queries', rules: written.map((expr, index) => ({ record: `q${index}`, expr })) }
  writeFileSync(file, JSON.stringify({ groups: [group] }))
  const { status, said } = promtool('check', 'rules', file)
  rmSync(temporary, { recursive: true })
  expect([status, said]).toEqual([0, expect.stringContaining(`${queries.length} rules found`)])
})
