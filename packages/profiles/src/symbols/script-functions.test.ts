import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { SourceMaps } from './source-maps.ts'

const url = 'file:///app/dist/main.js'

/** `function t(e){…}` is handleRequest of line 6; what is called from the 14th character is on line 7. */
const sourceMaps = () =>
  new SourceMaps([
    {
      name: 'dist/main.js.map',
      bytes: new TextEncoder().encode(
        JSON.stringify({
          version: 3,
          sources: ['../src/server.ts', '../src/other.ts'],
          names: ['handleRequest'],
          mappings: 'AAKA,SAASA,CAAA,EACA',
        }),
      ),
    },
  ])

const frame = { name: 't', line: 1, column: 11, url }
const callFrame = { functionName: 't', url, lineNumber: 0, columnNumber: 10 }
const root = { callFrame: { functionName: '(root)', url: '', lineNumber: -1, columnNumber: -1 } }

const v8Log = `v8-version,13,6,233,17,-node.53,0
shared-library,/usr/bin/node,0x400000,0x800000,0
shared-library-end
profiler,begin,1000
code-creation,JS,9,300,0xa00100,100,t ${url}:1:11,0xf0002,~
tick,0xa00110,2000,0,0x0,0
`

const documents: Readonly<Record<string, unknown>> = {
  'V8 CPU': {
    nodes: [
      { id: 1, ...root, children: [2] },
      { id: 2, callFrame, positionTicks: [{ line: 1, ticks: 1 }] },
    ],
    startTime: 0,
    endTime: 10,
    samples: [2],
    timeDeltas: [1],
  },
  'V8 CPU before Node.js 12': {
    head: {
      id: 1,
      functionName: '(root)',
      children: [{ id: 2, functionName: 't', url, lineNumber: 1, columnNumber: 11, hitCount: 1 }],
    },
    startTime: 0,
    endTime: 10,
  },
  'V8 heap': { head: { ...root, selfSize: 0, children: [{ callFrame, selfSize: 8, children: [] }] } },
  'Chrome traces': [
    { ph: 'P', name: 'Profile', id: '1', pid: 1, tid: 1, ts: 0, args: { data: { startTime: 0 } } },
    {
      ph: 'P',
      name: 'ProfileChunk',
      id: '1',
      pid: 1,
      tid: 1,
      ts: 1,
      args: {
        data: {
          cpuProfile: {
            nodes: [
              { id: 1, ...root },
              { id: 2, parent: 1, callFrame },
            ],
            samples: [2],
          },
          timeDeltas: [5],
          lines: [1],
        },
      },
    },
  ],
  'Hermes samples': {
    traceEvents: [{ ph: 'i', name: 'start', pid: 1, tid: 1, ts: 0 }],
    samples: [{ pid: 1, tid: 1, ts: '1', sf: 1, weight: '1' }],
    stackFrames: {
      1: { name: `t(${url}:1:14)`, line: '1', column: '14', funcLine: '1', funcColumn: '11' },
    },
  },
  'Hermes calls': [
    {
      ph: 'X',
      name: 't',
      pid: 1,
      tid: 1,
      ts: 0,
      dur: 5,
      args: { allocatedName: 't', url, line: 1, column: 14, funcLine: 1, funcColumn: 11 },
    },
  ],
  'Firefox itself': {
    meta: { version: 34, interval: 1, startTime: 1 },
    threads: [
      {
        name: 'GeckoMain',
        stringTable: [`t (${url}:1:11)[3]`],
        frameTable: { schema: { location: 0, line: 1, column: 2 }, data: [[0, 1, 14]] },
        stackTable: { schema: { prefix: 0, frame: 1 }, data: [[null, 0]] },
        samples: { schema: { stack: 0, time: 1 }, data: [[0, 1]] },
      },
    ],
  },
  'the Firefox profiler': {
    meta: { preprocessedProfileVersion: 47, interval: 1 },
    threads: [
      {
        name: 'GeckoMain',
        stringArray: ['t', url],
        funcTable: { length: 1, name: [0], fileName: [1], lineNumber: [1], columnNumber: [11] },
        frameTable: { length: 1, func: [0], line: [1], column: [14] },
        stackTable: { length: 1, frame: [0], prefix: [null] },
        samples: { length: 1, stack: [0], time: [1] },
      },
    ],
  },
  Safari: {
    version: 1,
    recording: {
      startTime: 0,
      endTime: 1,
      sampleStackTraces: [
        { timestamp: 0.5, stackFrames: [{ ...frame, expressionLocation: { line: 1, column: 14 } }] },
      ],
      sampleDurations: [0.001],
    },
  },
  speedscope: {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames: [{ name: 't', file: url, line: 1, col: 11 }] },
    profiles: [
      { type: 'sampled', name: '', unit: 'none', startValue: 0, endValue: 1, samples: [[0]], weights: [1] },
    ],
  },
  'V8 logs': v8Log,
}
const bytesOf = (document: unknown) =>
  new TextEncoder().encode(typeof document === 'string' ? document : JSON.stringify(document))

test.each(Object.keys(documents))('functions of %s are those of their sources', (format) => {
  const bytes = bytesOf(documents[format])
  const { functions } = readProfile(bytes, { sourceMaps: sourceMaps() })
  const index = functions.names.indexOf('handleRequest')
  expect([functions.files[index], functions.startLines[index]]).toEqual(['src/server.ts', 6])
  const plain = readProfile(bytes)
  expect(plain.functions.names).toContain('t')
  expect(plain.functions.files).toContain(url)
})

test.each(['Hermes samples', 'Hermes calls', 'Firefox itself', 'the Firefox profiler', 'Safari'])(
  'lines of %s, which tells columns, are those of the source even where the script is minified',
  (format) => {
    const { nodes } = readProfile(bytesOf(documents[format]), { sourceMaps: sourceMaps() })
    expect([...nodes.lines]).toEqual([0, 7])
  },
)
