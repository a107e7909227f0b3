import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mcpReport } from '@flamegate/mcp-profiling'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const root = path.join(import.meta.dirname, '../..')
const sample = path.join(root, 'apps/cli/src/mcp/testing/sample-server.ts')

const workflow = z.object({
  jobs: z.object({
    'mcp-performance': z.object({
      env: z.record(z.string(), z.string()),
      steps: z.array(
        z.object({
          name: z.string().optional(),
          run: z.string().optional(),
          uses: z.string().optional(),
          with: z.record(z.string(), z.unknown()).optional(),
        }),
      ),
    }),
  }),
})

test('the steps of the workflow for MCP servers run as they are written, in a checkout with its base beside it', async () => {
  const text = await readFile(path.join(root, 'deploy/ci/github/mcp-performance.yml'), 'utf8')
  const { env, steps } = workflow.parse(parse(text)).jobs['mcp-performance']
  const cwd = await mkdtemp(path.join(tmpdir(), 'mcp-performance-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  // What actions/checkout would do.
  const project = { name: 'shop', version: '1.0.0' }
  await writeFile(path.join(cwd, 'package.json'), JSON.stringify(project))
  await writeFile(
    path.join(cwd, 'package-lock.json'),
    JSON.stringify({ ...project, lockfileVersion: 3, requires: true, packages: { '': project } }),
  )
  await writeFile(
    path.join(cwd, '.mcp.json'),
    JSON.stringify({ mcpServers: { 'my-server': { command: process.execPath, args: [sample] } } }),
  )
  await mkdir(path.join(cwd, 'base'))
  for (const file of ['package.json', 'package-lock.json', '.mcp.json'])
    await cp(path.join(cwd, file), path.join(cwd, 'base', file))
  await symlink(root, path.join(cwd, '.flamegate'))

  const added = path.join(cwd, 'path')
  await writeFile(added, '')
  const outcomes = new Map<string, { code: number; out: string; error: string }>()
  for (const { name = '', run } of steps) {
    if (run === undefined) continue
    const paths = (await readFile(added, 'utf8')).split('\n').filter(Boolean)
    outcomes.set(
      name,
      await bash(run, cwd, {
        ...env,
        // A machine that does much else: the goal is not what is tested.
        DURATION: '2s',
        MAX_LATENCY: '20s',
        RUNNER_TEMP: cwd,
        GITHUB_PATH: added,
        HOME: cwd,
        PATH: [...paths, path.dirname(process.execPath), process.env['PATH']].join(':'),
      }),
    )
  }
  const { Check: check, ...others } = Object.fromEntries(outcomes)
  expect(Object.keys(others)).toEqual(['Install', 'Build both', 'Measure the base', 'Measure'])
  for (const [name, { code, error }] of Object.entries(others))
    expect([name, code, error]).toEqual([name, 0, error])
  const report = mcpReport.parse(JSON.parse(await readFile(path.join(cwd, 'report.json'), 'utf8')))
  expect(report).toMatchObject({ command: 'test', target: { name: 'my-server', server: { name: 'sample' } } })
  expect(report.load?.durationMs).toBeGreaterThan(1900)
  // Two measurements of two seconds: which verdict is chance, that there is one is not.
  expect(check).toMatchObject({
    code: expect.toSatisfy((code) => code < 2),
    out: expect.stringContaining('slow'),
  })
  expect(steps.at(-1)).toMatchObject({ with: { path: 'report.json\nbaseline.json\n' } })
}, 300_000)

/** As a runner does: https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#defaultsrunshell */
function bash(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; out: string; error: string }> {
  return new Promise((resolve) => {
    const child = execFile('bash', ['-e', '-c', script], { cwd, env }, (_error, out, error) =>
      resolve({ code: child.exitCode ?? -1, out, error }),
    )
  })
}
