import { copyFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoProject, ProfileFile } from './demo-project.ts'
import { collectEnvironment } from './environment.ts'
import { runTool } from './run-tool.ts'

const demoModules = new URL('../node_modules', import.meta.url).pathname
const RESULTS = 'results.vitest.json'
const PROFILED = 'apply discounts'
const PROFILE_MS = 3000

/** Node, measured with Vitest and with Node's own profilers. Needs the Node that runs this script, 24 or later. */
export const checkoutService: DemoProject = {
  slug: 'checkout-service',
  name: 'Checkout service',
  description: 'Prices carts, applies discount rules and writes receipts. JavaScript, measured with Vitest.',
  repository: 'flamegate-demo/checkout-service',

  prepare(folder) {
    symlinkSync(demoModules, join(folder, 'node_modules'))
  },

  build() {},

  visits: 4,
  measurementsPerVisit: 1,

  measure(folder, output) {
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'bench', '--run', '--reporter=json', `--outputFile=${join(output, RESULTS)}`]
    runTool(process.execPath, args, { cwd: folder })
  },

  collect([calmest = ''], output) {
    copyFileSync(join(calmest, RESULTS), join(output, RESULTS))
    return [{ file: RESULTS, adapter: 'vitest_bench' }]
  },

  profile(folder, output) {
    const run = (flags: string[]) =>
      runTool(process.execPath, [...flags, 'bench/profile.js', PROFILED, String(PROFILE_MS)], { cwd: folder })
    run(['--cpu-prof', `--cpu-prof-dir=${output}`, '--cpu-prof-name=cpu.cpuprofile'])
    const heapFlags = ['--heap-prof', '--heap-prof-interval=32768', '--heap-prof-name=heap.heapprofile']
    run([...heapFlags, `--heap-prof-dir=${output}`])
    const benchmark_uri = `checkout.bench.js::checkout::${PROFILED}`
    const profiles: ProfileFile[] = [
      { file: 'cpu.cpuprofile', type: 'cpu', benchmark_uri },
      { file: 'heap.heapprofile', type: 'heap', benchmark_uri },
    ]
    return profiles
  },

  environment() {
    const vitest = runTool(process.execPath, [join(demoModules, 'vitest/vitest.mjs'), '--version']).split(
      /[/ ]/,
    )
    return collectEnvironment({
      runtime: `node ${process.version}`,
      'library:vitest': vitest[1] ?? 'unknown',
    })
  },
}
