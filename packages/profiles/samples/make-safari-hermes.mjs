// Makes safari/node-recording.json.gz and trace_event/node-hermes.json.gz: the samples of cpuprofile/node.cpuprofile, written as
// Safari's Web Inspector and Hermes write theirs, because neither runs everywhere. As told by
// https://github.com/WebKit/WebKit/blob/main/Source/WebInspectorUI/UserInterface/Models/TimelineRecording.js and
// https://github.com/facebook/hermes/blob/main/lib/VM/Profiler/ChromeTraceSerializer.cpp
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const samples = import.meta.dirname
const profile = JSON.parse(readFileSync(`${samples}/cpuprofile/node.cpuprofile`, 'utf8'))
const byId = new Map(profile.nodes.map((node) => [node.id, node]))
const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
const times = []
let clock = profile.startTime
for (const delta of profile.timeDeltas) times.push(Math.max(times.at(-1) ?? 0, (clock += delta)))
times.push(Math.max(times.at(-1), profile.endTime))

const framesOf = (id) => (parents.has(id) ? [byId.get(id).callFrame, ...framesOf(parents.get(id))] : [])
const seconds = (microseconds) => microseconds / 1e6
save('safari/node-recording.json.gz', {
  version: 1,
  recording: {
    displayName: 'Timeline Recording 1',
    startTime: seconds(profile.startTime),
    endTime: seconds(times.at(-1)),
    discontinuities: [],
    instrumentTypes: ['timeline-record-type-script'],
    records: [{ type: 'timeline-record-type-script', eventType: 'script-script-evaluated', details: 'app.mjs' }],
    markers: [],
    memoryPressureEvents: [],
    sampleStackTraces: profile.samples.map((id, index) => ({
      timestamp: seconds(times[index]),
      stackFrames: framesOf(id).map(({ functionName, url, lineNumber, columnNumber, scriptId }) => ({
        sourceID: scriptId,
        name: functionName,
        line: lineNumber + 1,
        column: columnNumber + 1,
        url,
        ...(lineNumber < 0 ? {} : { expressionLocation: { line: lineNumber + 2, column: 1 } }),
      })),
    })),
    sampleDurations: profile.samples.map((_, index) => seconds(times[index + 1] - times[index])),
  },
  overview: { secondsPerPixel: 0.005, scrollStartTime: 0, selectionStartTime: 0, selectionDuration: 0 },
})

const pid = 7512
const tid = '7570'
const metadata = (name, of) => ({ name, ph: 'M', cat: '__metadata', pid, ts: String(times[0]), tid, args: { name: of } })
const sample = (id, time) => ({ cpu: '-1', name: '', ts: String(time), pid, tid, weight: '1', sf: id })
const stackFrames = profile.nodes.flatMap(({ id, callFrame: { functionName, url, lineNumber, columnNumber } }) => {
  if (!parents.has(id)) return []
  const name = functionName || '(anonymous)'
  // The root is no frame in Hermes.
  const parent = parents.has(parents.get(id)) ? { parent: parents.get(id) } : {}
  if (lineNumber < 0) return [[id, { name, category: 'Native', ...parent }]]
  const [line, column] = [lineNumber + 1, columnNumber + 1].map(String)
  const place = { line, column, funcLine: line, funcColumn: column }
  return [[id, { ...place, name: `${name}(${url}:${line}:${column})`, category: 'JavaScript', ...parent }]]
})
save('trace_event/node-hermes.json.gz', {
  traceEvents: [
    metadata('process_name', 'hermes'),
    metadata('thread_name', 'mqt_js'),
    { name: 'mqt_js', cat: 'mqt_js', ph: 'X', dur: 0, pid, ts: String(times[0]), tid, args: {} },
  ],
  // The last one is where the profile ends.
  samples: [...profile.samples, profile.samples.at(-1)].map((id, index) => sample(id, times[index])),
  stackFrames: Object.fromEntries(stackFrames),
})

function save(name, document) {
  mkdirSync(`${samples}/${name.split('/')[0]}`, { recursive: true })
  writeFileSync(`${samples}/${name}`, gzipSync(JSON.stringify(document), { level: 9 }))
}
