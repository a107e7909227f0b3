import { captureKindNames, captureKinds } from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import { captureCommands, type WantedCapture } from './capture-commands.ts'

const commands = (wanted: Partial<WantedCapture> & Pick<WantedCapture, 'kind'>) =>
  captureCommands({ type: 'cpu', seconds: undefined, target: undefined, projectId: 'prj_01', ...wanted }).map(
    ({ command }) => command,
  )

test.each([
  [
    { kind: 'pprof', seconds: 20, target: 'http://shop:6060/' },
    'flamegate profile --pprof http://shop:6060/ --type cpu --seconds 20 --repository prj_01',
    "curl --fail -o cpu.pb.gz 'http://shop:6060/debug/pprof/profile?seconds=20'",
  ],
  [
    { kind: 'pprof', type: 'heap' },
    'flamegate profile --pprof http://localhost:6060 --type heap --repository prj_01',
    'curl --fail -o heap.pb.gz http://localhost:6060/debug/pprof/heap',
  ],
  [
    { kind: 'node', type: 'heap', target: 'node server.js --port 80' },
    'flamegate profile --node --type heap --repository prj_01 -- node server.js --port 80',
    'node --heap-prof server.js --port 80',
  ],
  [
    { kind: 'cprofile', target: 'python3 app.py' },
    'flamegate profile --python --repository prj_01 -- python3 app.py',
    'python3 -m cProfile -o cpu.pstats app.py',
  ],
  [
    { kind: 'py_spy', target: '4242', seconds: 5 },
    'flamegate profile --py-spy 4242 --seconds 5 --repository prj_01',
    'py-spy record --format speedscope -o cpu.speedscope.json --duration 5 --pid 4242',
  ],
  [
    { kind: 'jfr', target: 'java -jar app.jar' },
    'flamegate profile --jfr --repository prj_01 -- java -jar app.jar',
    'java -XX:StartFlightRecording=settings=profile,filename=app.jfr -jar app.jar',
  ],
  [
    { kind: 'perf' },
    'flamegate profile --perf <pid> --repository prj_01',
    'perf record -F 499 -g -p <pid> -- sleep 30; perf script > cpu.perf.txt',
  ],
  [{ kind: 'inspect', target: '9230' }, 'flamegate profile --inspect 9230 --type cpu --repository prj_01'],
] as const)('the commands for %j', (wanted, ...expected) => {
  expect(commands(wanted)).toEqual(expected)
})

describe.each(captureKindNames)('%s', (kind) => {
  test('has a line of flamegate profile for each of what it measures', () => {
    for (const type of captureKinds[kind].types) {
      expect(commands({ kind, type })[0]).toMatch(/^flamegate profile --[a-z-]+ .*--repository prj_01/)
    }
  })
})

test('an address is one word, whatever is in it', () => {
  const [first, second] = commands({ kind: 'pprof', target: "http://a/$(id);'b" })
  expect(first).toContain(String.raw`--pprof 'http://a/$(id);'\''b'`)
  expect(second).toContain(String.raw`'http://a/$(id);'\''b/debug/pprof/profile?seconds=30'`)
})
