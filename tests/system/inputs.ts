import type { World } from './world.ts'

/**
 * For every operation an input that its owner could really use, in a world. The authorization matrix sends these
 * with all kinds of credentials; an operation without a line here fails it.
 */
export const inputs: Record<string, (world: World) => Record<string, unknown>> = {
  // benchmarks
  check_regression: (world) => ({ run_id: world.headRunId, base_run_id: world.baseRunId }),
  compare_runs: (world) => ({ base_run_id: world.baseRunId, head_run_id: world.headRunId }),
  create_run_upload: (world) => ({
    repository: world.projectId,
    branch: 'main',
    commit_hash: 'abcdef1',
    file_name: 'bench.txt',
    size_bytes: 10,
  }),
  explain_regression: (world) => ({
    benchmark: world.benchmarkUri,
    base_run_id: world.baseRunId,
    head_run_id: world.headRunId,
  }),
  get_benchmark_history: (world) => ({ benchmark_id: world.benchmarkId }),
  get_benchmark_result: (world) => ({ run_id: world.headRunId, benchmark: world.benchmarkUri }),
  get_run: (world) => ({ run_id: world.headRunId }),
  list_benchmarks: (world) => ({ repository: world.projectId }),
  list_performance_alerts: (world) => ({ project_id: world.projectId }),
  list_repositories: () => ({}),
  list_runs: (world) => ({ repository: world.projectId }),
  list_thresholds: (world) => ({ repository: world.projectId }),
  merge_benchmarks: (world) => ({
    benchmark_id: world.benchmarkId,
    from_benchmark_id: world.benchmarkId,
  }),
  rename_benchmark: (world) => ({ benchmark_id: world.benchmarkId, uri: world.benchmarkUri }),
  resolve_alert: (world) => ({ alert_id: world.alertId, action: 'acknowledge' }),
  set_threshold: (world) => ({
    repository: world.projectId,
    branch: 'matrix',
    test: 'static',
    upper_bound: 1e9,
  }),
  submit_benchmark_results: (world) => ({
    repository: world.projectId,
    branch: 'matrix',
    commit_hash: 'abcdef1',
    results: 'BenchmarkA-2 100 10 ns/op\n',
  }),
  update_benchmark: (world) => ({ benchmark_id: world.benchmarkId, is_critical: true }),
  // general
  call_tool: () => ({ name: 'find_tools', arguments: { query: 'flame graph' } }),
  cancel_task: (world) => ({ task_id: world.taskId }),
  describe_tool: () => ({ name: 'compare_runs' }),
  download_file: (world) => ({ file_id: world.fileId }),
  fetch: (world) => ({ id: world.headRunId }),
  find_tools: () => ({ query: 'flame graph' }),
  get_task_result: (world) => ({ task_id: world.taskId }),
  list_files: (world) => ({ owner: world.projectId }),
  read_file_lines: (world) => ({ file_id: world.fileId, contains: 'route' }),
  read_guide: () => ({ name: 'compare-runs' }),
  search: () => ({ query: 'feat/slow' }),
  // mcp_servers
  // Nothing is at this address: the examination says so, whoever asks for it.
  diagnose_mcp_connection: () => ({ mcp_url: 'https://mcp.invalid/mcp' }),
  // profiles
  analyze_profile: (world) => ({ profile_id: world.profileId }),
  create_profile_upload: (world) => ({
    project_id: world.projectId,
    file_name: 'a.txt',
    content: 'main;a 1\n',
  }),
  delete_profile: (world) => ({ profile_id: world.profileId }),
  generate_flamegraph: (world) => ({ profile_id: world.profileId }),
  get_profile: (world) => ({ profile_id: world.profileId }),
  list_profiles: (world) => ({ project_id: world.projectId }),
  query_flamegraph: (world) => ({ profile_id: world.profileId }),
  // workspace
  block_oauth_client: () => ({ client_id: 'client-of-nobody' }),
  create_api_token: (world) => ({ workspace_id: world.owner.workspaceId, name: 'matrix', scopes: ['read'] }),
  create_project: (world) => ({ workspace_id: world.owner.workspaceId, name: `Matrix ${Math.random()}` }),
  delete_project: (world) => ({ project_id: world.projectId, confirm: 'World' }),
  delete_unused_oauth_clients: () => ({ dry_run: true }),
  export_audit_log: (world) => ({ workspace_id: world.owner.workspaceId }),
  get_current_user: () => ({}),
  get_project: (world) => ({ project_id: world.projectId }),
  get_usage: (world) => ({ workspace_id: world.owner.workspaceId }),
  list_api_tokens: (world) => ({ workspace_id: world.owner.workspaceId }),
  list_connected_apps: () => ({}),
  list_oauth_clients: () => ({}),
  list_projects: (world) => ({ workspace_id: world.owner.workspaceId }),
  list_security_events: () => ({}),
  list_workspace_members: (world) => ({ workspace_id: world.owner.workspaceId }),
  list_workspaces: () => ({}),
  revoke_api_token: (world) => ({ api_token_id: world.apiTokenId }),
  revoke_connected_app: () => ({ connected_app_id: 'grant-of-nobody' }),
  search_audit_log: (world) => ({ workspace_id: world.owner.workspaceId }),
  set_workspace_member: (world) => ({
    workspace_id: world.owner.workspaceId,
    email: 'new@example.com',
    role: 'viewer',
  }),
  update_project: (world) => ({ project_id: world.projectId, description: 'Changed by the matrix' }),
}
