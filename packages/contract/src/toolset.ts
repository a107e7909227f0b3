/** What a plan may do without. */
export const featureNames = [
  'profiles',
  'live',
  'benchmarks',
  'virtual_users',
  'scenarios',
  'reports',
  'monitoring',
  'mcp_servers',
] as const
export type Feature = (typeof featureNames)[number]

export const toolsetNames = ['workspace', ...featureNames, 'general'] as const
export type Toolset = (typeof toolsetNames)[number]

/** Groups of tools, as in `/mcp/x/<toolset>`, with what each is for. */
export const toolsets: Readonly<Record<Toolset, string>> = {
  workspace: 'Who you are, workspaces, members, projects, usage, connected apps, audit',
  profiles: 'Profiles and flame graphs: upload, top functions, call trees, comparison, leaks',
  live: 'Live metrics of a running program',
  benchmarks: 'Benchmark runs, comparison, history, thresholds and alerts',
  virtual_users: 'Virtual users: import recorded traffic, edit, correlate, validate',
  scenarios: 'Load scenarios: run, watch, stop, schedule',
  reports: 'Bench reports: values, insights, errors, PDF',
  monitoring: 'SLA profiles, monitors and notifications',
  mcp_servers: 'Profiling and load testing of MCP servers',
  general: 'Files, tasks, search and guides',
}
