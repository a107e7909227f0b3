// Makes trace_event/chrome-devtools.json.gz with the Chromium of the browser tests, and firefox/firefox-gecko.json.gz with the
// Firefox ESR that is installed. The page lives in a neutral folder, because its address ends up in the profiles.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { launchBrowser } from '../../../tests/system/browser.ts'

const samples = import.meta.dirname
const work = '/tmp/demo-app/browser'
rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
writeFileSync(
  `${work}/page.html`,
  `<!doctype html>
<title>demo</title>
<script>
  function tinySort(list) {
    if (list.length < 2) return list
    const [first, ...rest] = list
    const isSmaller = (item) => item < first
    return [...tinySort(rest.filter(isSmaller)), first, ...tinySort(rest.filter((item) => !isSmaller(item)))]
  }
  function renderRows(rows) {
    document.body.replaceChildren(...rows.map((row) => Object.assign(document.createElement('p'), { textContent: row })))
    return document.body.offsetHeight
  }
  function serve(rounds) {
    for (let round = 0; round < rounds; round++)
      renderRows(tinySort(Array.from({ length: 60 }, (_, index) => (index * 7919) % 101)))
  }
  // Run by the one who looks on, or by itself where nobody does.
  if (location.hash === '#run') setTimeout(() => serve(2000), 300)
</script>
<body></body>
`,
)

const browser = await launchBrowser()
const page = await browser.newPage()
await page.goto(`file://${work}/page.html`)
await browser.startTracing(page, {
  categories: [
    '-*',
    'devtools.timeline',
    'disabled-by-default-devtools.timeline',
    'v8.execute',
    'disabled-by-default-v8.cpu_profiler',
  ],
})
await page.evaluate('serve(60)')
const trace = JSON.parse(await browser.stopTracing())
await browser.close()
// What it says of the machine is left out.
save('trace_event/chrome-devtools.json.gz', { traceEvents: trace.traceEvents })

const profile = `${work}/firefox-profile`
const port = 28_281
mkdirSync(profile)
writeFileSync(`${profile}/user.js`, `user_pref("marionette.port", ${port});\n`)
const firefox = spawn('firefox-esr', ['--headless', '--no-remote', '--marionette', '--profile', profile], {
  stdio: 'ignore',
  env: {
    ...process.env,
    HOME: profile,
    MOZ_PROFILER_STARTUP: '1',
    MOZ_PROFILER_STARTUP_FEATURES: 'js,stackwalk,cpu',
    MOZ_PROFILER_STARTUP_FILTERS: 'GeckoMain',
    MOZ_PROFILER_STARTUP_INTERVAL: '20',
    MOZ_PROFILER_SHUTDOWN: `${work}/firefox.json`,
  },
})
const socket = await connected()
const call = marionette(socket)
await call('WebDriver:NewSession', { capabilities: {} })
await call('WebDriver:Navigate', { url: `file://${work}/page.html#run` })
await sleep(3000)
const ended = new Promise((resolve) => firefox.once('exit', resolve))
void call('Marionette:Quit', { flags: ['eForceQuit'] })
await ended
socket.destroy()
save('firefox/firefox-gecko.json.gz', onlyThePage(JSON.parse(readFileSync(`${work}/firefox.json`, 'utf8'))))

function save(name, document) {
  mkdirSync(`${samples}/${name.split('/')[0]}`, { recursive: true })
  writeFileSync(`${samples}/${name}`, gzipSync(JSON.stringify(document), { level: 9 }))
}

async function connected() {
  for (let attempt = 0; attempt < 60; attempt++) {
    await sleep(500)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    if (isOpen) return socket
  }
  throw new Error('Firefox does not answer')
}

/** Calls Marionette: `length:[0, id, name, parameters]`, answered by `length:[1, id, error, result]`. */
function marionette(socket) {
  const waiting = new Map()
  let buffered = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    buffered = Buffer.concat([buffered, bytes])
    for (;;) {
      const colon = buffered.indexOf(':')
      const end = colon + 1 + Number(buffered.subarray(0, Math.max(0, colon)).toString())
      if (colon === -1 || buffered.length < end) return
      const message = JSON.parse(buffered.subarray(colon + 1, end).toString())
      buffered = buffered.subarray(end)
      if (Array.isArray(message)) waiting.get(message[1])?.(message)
    }
  })
  return (name, parameters) =>
    new Promise((resolve, reject) => {
      const id = waiting.size + 1
      waiting.set(id, ([, , error, result]) => (error ? reject(new Error(error.message)) : resolve(result)))
      const text = JSON.stringify([0, id, name, parameters])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}

/**
 * The browser itself and the process of the page, with a few of their markers, and of the browser only its last second:
 * everything would be megabytes.
 */
function onlyThePage(whole) {
  const processes = whole.processes.filter(({ threads }) => threads.some(({ processName }) => processName === 'file:// Content'))
  for (const one of [whole, ...processes]) {
    for (const thread of one.threads) {
      const { schema, data } = thread.samples
      thread.samples.data = data.filter((row) => row[schema.time] > data.at(-1)[schema.time] - 1800)
      thread.markers.data.length = Math.min(5, thread.markers.data.length)
      keepUsed(thread)
    }
    delete one.meta.markerSchema
    one.pages = []
    one.libs = one.libs.map(({ start, end, name, path }) => ({ start, end, name, path }))
  }
  return { ...whole, processes }
}

/** Stacks that samples use, and their frames and locations; markers lose their stacks. */
function keepUsed(thread) {
  const { samples: table, stackTable, frameTable, markers } = thread
  for (const row of markers.data) delete row[markers.schema.data]?.stack
  const renumber = (from, parentColumn) => {
    const numbers = new Map()
    const rows = []
    const keep = (index) => {
      if (index === null || index === undefined) return null
      if (!numbers.has(index)) {
        const row = [...from.data[index]]
        if (parentColumn !== undefined) row[parentColumn] = keep(row[parentColumn])
        numbers.set(index, rows.push(row) - 1)
      }
      return numbers.get(index)
    }
    return { keep, rows }
  }
  const stacks = renumber(stackTable, stackTable.schema.prefix)
  for (const row of table.data) row[table.schema.stack] = stacks.keep(row[table.schema.stack])
  const frames = renumber(frameTable)
  for (const row of stacks.rows) row[stackTable.schema.frame] = frames.keep(row[stackTable.schema.frame])
  const strings = renumber({ data: thread.stringTable.map((text) => [text]) })
  for (const row of frames.rows) row[frameTable.schema.location] = strings.keep(row[frameTable.schema.location])
  for (const row of frames.rows) row[frameTable.schema.implementation] = null
  for (const row of markers.data) row[markers.schema.name] = strings.keep(row[markers.schema.name])
  stackTable.data = stacks.rows
  frameTable.data = frames.rows
  thread.stringTable = strings.rows.map(([text]) => text)
}
