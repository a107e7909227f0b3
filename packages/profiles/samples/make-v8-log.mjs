// Makes v8_log/node.log.gz with the Node that runs this, what its --prof-process --preprocess makes of it, and
// trace_event/node-trace.json.gz with its trace events.
// All of it lives in a neutral folder, the copy of Node too, because paths end up in the files.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const samples = import.meta.dirname
const work = '/tmp/demo-app/v8-log'
const node = `${work}/node`
rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
copyFileSync(process.execPath, node)
writeFileSync(
  `${work}/app.mjs`,
  `import { createHash } from 'node:crypto'

function tinySort(list) {
  if (list.length < 2) return list
  const [first, ...rest] = list
  const isSmaller = (item) => item < first
  return [...tinySort(rest.filter(isSmaller)), first, ...tinySort(rest.filter((item) => !isSmaller(item)))]
}
function serve() {
  const orders = Array.from({ length: 300 }, (_, id) => ({ id, prices: tinySort([id % 7, 3, id % 5, 1, 9, id % 11]) }))
  return createHash('sha256').update(JSON.stringify(orders).repeat(5)).digest('hex')
}
const until = Date.now() + 300
while (Date.now() < until) serve()
await new Promise((resolve) => setTimeout(resolve, 50))
`,
)
const run = (...options) => execFileSync(node, options, { cwd: work, encoding: 'utf8', maxBuffer: 2 ** 28 })
run('--prof', 'app.mjs')
const log = readdirSync(work).find((name) => name.endsWith('.log'))
save('v8_log/node.log.gz', withoutSources(readFileSync(`${work}/${log}`, 'utf8')))
save('v8_log/node-preprocessed.json.gz', JSON.stringify(onlyUsed(JSON.parse(run('--prof-process', '--preprocess', log)))))
console.log(run('--prof-process', log))

run('--trace-event-categories', 'node,v8,disabled-by-default-v8.cpu_profiler', '--cpu-prof', 'app.mjs')
save('trace_event/node-trace.json.gz', readFileSync(`${work}/node_trace.1.log`, 'utf8'))
rmSync(node)

function save(name, text) {
  mkdirSync(`${samples}/${name.split('/')[0]}`, { recursive: true })
  writeFileSync(`${samples}/${name}`, gzipSync(text, { level: 9 }))
}

/** Sources of scripts and pages of memory are most of the file, and no tick is in them. */
function withoutSources(text) {
  return text.replaceAll(/^(?:script-source|code-source-info|new|delete),.*\n/gm, '')
}

/** Without the tens of thousands of symbols that no tick is in, and without the sources of scripts. */
function onlyUsed({ code, functions, ticks }) {
  const numbers = new Map()
  const kept = []
  for (const { s } of ticks) {
    for (let cell = 0; cell < s.length; cell += 2) {
      if (s[cell] === -1) continue
      if (!numbers.has(s[cell])) {
        const { source, ...entry } = code[s[cell]]
        numbers.set(s[cell], kept.push(entry) - 1)
      }
      s[cell] = numbers.get(s[cell])
    }
  }
  return { code: kept, functions: functions.slice(0, 1), ticks, scripts: [] }
}
