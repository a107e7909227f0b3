import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoProject } from './demo-project.ts'
import { collectEnvironment } from './environment.ts'
import { runTool } from './run-tool.ts'

const GO_RESULTS = 'results.go.txt'
const HYPERFINE_RESULTS = 'results.hyperfine.json'
const ROUNDS = 5
const TEST_BINARY = './log-router.test'
const INPUT = 'shop.log'
const COMMAND = `./log-router -input ${INPUT}`

/** Go, measured with `go test -bench` and hyperfine, profiled with pprof. Needs go and hyperfine. */
export const logRouter: DemoProject = {
  slug: 'log-router',
  name: 'Log router',
  description:
    'Reads log lines and keeps the newest ones of every sink. Go, measured with go test and hyperfine.',
  repository: 'flamegate-demo/log-router',

  prepare(folder) {
    writeFileSync(join(folder, INPUT), inputLines(60_000))
  },

  build(folder) {
    // -trimpath: profiles and panics name example.com/log-router/…, not the folder it was built in.
    runTool('go', ['test', '-c', '-trimpath', '-o', TEST_BINARY, '.'], { cwd: folder })
    runTool('go', ['build', '-trimpath', '-o', 'log-router', './cmd/log-router'], { cwd: folder })
  },

  visits: 4,
  measurementsPerVisit: 3,

  measure(folder, output) {
    const args = ['-test.run', '^$', '-test.bench', '.', '-test.benchtime', '100ms']
    writeFileSync(join(output, GO_RESULTS), runTool(TEST_BINARY, args, { cwd: folder }))
    const hyperfine = ['--shell=none', '--warmup', '2', '--runs', '15', '--export-json']
    runTool('hyperfine', [...hyperfine, join(output, HYPERFINE_RESULTS), COMMAND], { cwd: folder })
  },

  collect(measured, output) {
    // The outputs of several runs after each other are what benchstat takes, too: each is one round of every benchmark.
    const rounds = measured.slice(0, ROUNDS).map((folder) => readFileSync(join(folder, GO_RESULTS), 'utf8'))
    writeFileSync(join(output, GO_RESULTS), rounds.join(''))
    copyFileSync(join(measured[0] ?? '', HYPERFINE_RESULTS), join(output, HYPERFINE_RESULTS))
    return [
      { file: GO_RESULTS, adapter: 'go_bench' },
      { file: HYPERFINE_RESULTS, adapter: 'hyperfine' },
    ]
  },

  profile(folder, output) {
    const run = (benchmark: string, flags: string[]) =>
      runTool(TEST_BINARY, ['-test.run', '^$', '-test.bench', benchmark, '-test.benchtime', '1s', ...flags], {
        cwd: folder,
      })
    run('^BenchmarkBuffer$/capacity=1024', ['-test.cpuprofile', join(output, 'cpu.pb.gz')])
    run('^BenchmarkEncode$', ['-test.memprofile', join(output, 'heap.pb.gz'), '-test.memprofilerate', '4096'])
    return [
      {
        file: 'cpu.pb.gz',
        type: 'cpu',
        benchmark_uri: 'example.com/log-router::BenchmarkBuffer/capacity=1024',
      },
      { file: 'heap.pb.gz', type: 'heap', benchmark_uri: 'example.com/log-router::BenchmarkEncode' },
    ]
  },

  environment() {
    const hyperfine = runTool('hyperfine', ['--version']).trim().split(' ')
    return collectEnvironment({
      runtime: runTool('go', ['env', 'GOVERSION']).trim(),
      'library:hyperfine': hyperfine[1] ?? 'unknown',
    })
  },
}

/** Lines of a small shop, the same in every run. */
function inputLines(count: number): string {
  const levels = ['info', 'warn', 'error', 'debug']
  const services = ['cart', 'payment', 'search', 'stock']
  return Array.from({ length: count }, (_, index) => {
    const level = levels[index % 4]
    const service = `${services[Math.floor(index / 4) % 4]}-${index % 3}`
    return `level=${level} service=${service} took=${index % 977}ms msg="request ${index} finished" user=u${index % 500}\n`
  }).join('')
}
