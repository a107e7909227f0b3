import { listed, type ListedCommand } from '../../commands/command.ts'

/** What `mcp-profiler <command>` and `flamegate mcp <command>` can do, in the order of the help. */
export const mcpCommands: readonly ListedCommand[] = [
  listed(
    'profile',
    'Time what a server does, one call after the other.',
    async () => (await import('./profile.ts')).profile,
  ),
  listed(
    'start',
    'Open a profiling session: watch a server under a light, even load until it is over or stopped.',
    async () => (await import('./start.ts')).start,
  ),
  listed(
    'load-test',
    'Make load on a server: so many calls at a time, or so many per second.',
    async () => (await import('./load-test.ts')).loadTest,
  ),
  listed(
    'throughput',
    'Find how many answers per second a server gives, with one or more numbers of calls at a time.',
    async () => (await import('./throughput.ts')).throughput,
  ),
  listed(
    'capacity',
    'Find the highest rate of calls at which a server keeps to a latency.',
    async () => (await import('./capacity.ts')).capacity,
  ),
  listed(
    'cpu',
    'Take a CPU profile of a server under load: hot functions, hot paths, flame graph, call tree.',
    async () => (await import('./cpu.ts')).cpu,
  ),
  listed(
    'memory',
    'Watch the heap of a server under load: its growth, who allocates, garbage collections.',
    async () => (await import('./memory.ts')).memory,
  ),
  listed(
    'gc-monitor',
    'Watch the garbage collections of a server under load: how many, how long, what share of the time.',
    async () => (await import('./gc-monitor.ts')).gcMonitor,
  ),
  listed(
    'flame-graph',
    'Draw where the time of a server goes, of a profile taken now or before, or the difference of two.',
    async () => (await import('./flame-graph.ts')).flameGraph,
  ),
  listed(
    'memory-leaks',
    'Watch whether the memory of a server only grows under a steady load, and fail when it does.',
    async () => (await import('./memory-leaks.ts')).memoryLeaks,
  ),
  listed(
    'heap-analysis',
    'Take heap snapshots of a Node.js server under load, and tell what is in them and what grew.',
    async () => (await import('./heap-analysis.ts')).heapAnalysis,
  ),
  listed(
    'diagnose',
    'Find what is wrong with a server: cpu, memory-leak, slow-response, errors, or all of it.',
    async () => (await import('./diagnose.ts')).diagnose,
  ),
  listed(
    'test',
    'Measure a server in CI, and fail when it misses a goal.',
    async () => (await import('./test.ts')).test,
  ),
  listed(
    'compare',
    'Compare two reports: what became faster or slower, and how sure that is.',
    async () => (await import('./compare.ts')).compare,
  ),
  listed(
    'regression-check',
    'Fail when one report, or build, is slower than another: for CI.',
    async () => (await import('./regression-check.ts')).regressionCheck,
  ),
  listed(
    'regression-test',
    'Run two versions of a server in turns, and fail when the new one is worse.',
    async () => (await import('./regression-test.ts')).regressionTest,
  ),
  listed(
    'ab-test',
    'Measure a server as it is and with other settings, in turns, and tell which is better.',
    async () => (await import('./ab-test.ts')).abTest,
  ),
  listed(
    'auto-tune',
    'Try settings of a server that is a command, and propose those that surely make it faster.',
    async () => (await import('./auto-tune.ts')).autoTune,
  ),
  listed(
    'continuous',
    'Watch a server for days: a sample in every interval, kept for a time, with alerts.',
    async () => (await import('./continuous.ts')).continuous,
  ),
  listed(
    'production',
    'Stand between a client and a server in use, and time a share of its calls.',
    async () => (await import('./production.ts')).production,
  ),
  listed(
    'serve',
    'Be an MCP server over standard streams, with tools that measure MCP servers.',
    async () => (await import('./serve.ts')).serve,
  ),
]
