import { expect, test } from 'vitest'
import type { Profile } from '../ports/index.ts'
import { mostFittingFirst } from './of-run.ts'

const of = (type: string): Profile => ({
  id: `prf_${type}`,
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  runId: 'run_1',
  benchmarkId: 'ben_1',
  fileId: 'fil_1',
  name: type,
  type,
  format: 'pprof',
  status: 'READY',
  sampleTypes: [],
  defaultSampleTypeIndex: 0,
  durationMs: null,
  startedAt: null,
  sampleCount: 1,
  nodeCount: 1,
  labels: {},
  tags: [],
  service: null,
  expiresAt: null,
  warnings: [],
  problem: null,
  createdAt: new Date(0),
  source: { originRules: [], repository: null, forge: null, forgeUrl: null, commitHash: null },
})

test.each([
  ['walltime', ['cpu', 'heap', 'mutex']],
  ['simulation', ['cpu', 'heap', 'mutex']],
  ['memory', ['heap', 'cpu', 'mutex']],
])('the profile that explains %s comes first, the others stay in their order', (instrument, types) => {
  const newestFirst = [of('heap'), of('cpu'), of('mutex')]
  expect(mostFittingFirst(newestFirst, instrument).map(({ type }) => type)).toEqual(types)
})
