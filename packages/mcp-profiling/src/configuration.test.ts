import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { configurationJsonSchema, isDebugging, readConfiguration } from './configuration.ts'

test('readConfiguration() has the defaults of the checklist for an empty file', () => {
  expect(readConfiguration({})).toEqual({
    outcome: 'read',
    configuration: {
      mcpServers: {},
      operations: {},
      profiler: {
        enabled: true,
        samplingRate: 0.1,
        maxSamples: 100_000,
        outputFormat: 'json',
        realTimeAnalysis: true,
        autoOptimization: false,
      },
      cpu: {
        enabled: true,
        samplingInterval: 10,
        flameGraphs: true,
        callTrees: true,
        hotPathThreshold: 0.05,
      },
      memory: {
        enabled: true,
        heapSnapshots: true,
        gcMonitoring: true,
        leakDetection: true,
        allocationTracking: false,
      },
      performance: {
        responseTimeTracking: true,
        throughputMeasurement: true,
        resourceMonitoring: true,
        bottleneckDetection: true,
      },
      alerts: {
        enabled: true,
        cpuThreshold: 80,
        memoryThreshold: 85,
        responseTimeThreshold: 1000,
        errorRateThreshold: 0.05,
      },
    },
  })
})

test('readConfiguration() reads servers of both kinds', () => {
  const read = readConfiguration({
    mcpServers: {
      notes: { command: 'node', args: ['server.js'] },
      shop: { url: 'http://127.0.0.1:3000/mcp' },
    },
    operations: { look_up: { arguments: { id: 7 } } },
  })
  expect(read).toMatchObject({
    outcome: 'read',
    configuration: {
      mcpServers: { notes: { command: 'node', env: {} }, shop: { transport: 'streamable_http' } },
      operations: { look_up: { arguments: { id: 7 } } },
    },
  })
})

test.each([
  [
    { cpu: { samplingIntervall: 5 } },
    'cpu: samplingIntervall is no setting. There are: enabled, samplingInterval, flameGraphs',
  ],
  [{ cpus: {} }, 'the file: cpus is no setting. There are: $schema, mcpServers, operations'],
  [{ alerts: { cpuThreshold: 300 } }, 'alerts.cpuThreshold: Too big: expected number to be <=100'],
  [
    { profiler: { samplingRate: '10%' } },
    'profiler.samplingRate: Invalid input: expected number, received string',
  ],
  [{ mcpServers: { notes: { program: 'node' } } }, 'mcpServers.notes: write { "command": "…"'],
  [{ mcpServers: { notes: { url: 'file:///etc/passwd' } } }, 'mcpServers.notes.url: Invalid URL'],
  [[], 'the file: Invalid input: expected object, received array'],
])('readConfiguration() says what is wrong with %j', (json, fault) => {
  expect(readConfiguration(json)).toEqual({ outcome: 'faulty', faults: [expect.stringContaining(fault)] })
})

test('configurationJsonSchema() accepts what is accepted, and describes every key', () => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  const validate = ajv.compile(configurationJsonSchema())
  expect(validate({ alerts: { cpuThreshold: 90 }, mcpServers: { a: { command: 'x' } } })).toBe(true)
  expect(validate({ alerts: { cpuThreshold: 900 } })).toBe(false)
  const groups = ['mcpServers', 'operations', 'profiler', 'cpu', 'memory', 'performance', 'alerts']
  for (const group of groups)
    expect(configurationJsonSchema()).toHaveProperty(['properties', group, 'description'], expect.any(String))
})

test('isDebugging() is for the word true only', () => {
  expect([{ MCP_PERFORMANCE_DEBUG: 'true' }, { MCP_PERFORMANCE_DEBUG: '0' }, {}].map(isDebugging)).toEqual([
    true,
    false,
    false,
  ])
})
