import { catalogue } from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import { similarTools } from './tool-names.ts'
import { searchTools } from './tool-search.ts'
import { synonyms } from './tool-synonyms.ts'

const tools = catalogue.filter((operation) => operation.mcp).map((operation) => operation.id)

describe('searchTools()', () => {
  test.each([
    ['where is the time going', 'query_flamegraph'],
    ['flame graph', 'query_flamegraph'],
    ['draw a flamegraph', 'generate_flamegraph'],
    ['is my last commit slower than before?', 'compare_runs'],
    ['performance regression', 'compare_runs'],
    ['hot functions of a profile', 'analyze_profile'],
    ['how much is garbage collection', 'analyze_profile'],
    ['who calls this function', 'get_function_callers'],
    ['which line is slow', 'get_source_lines'],
    ['threads of a profile', 'list_threads'],
    ['who am I', 'get_current_user'],
    ['what are my permissions', 'get_current_user'],
    ['invite a colleague', 'set_workspace_member'],
    ['who changed that member? audit', 'search_audit_log'],
    ['upload a pprof file', 'create_profile_upload'],
    ['how far is the upload', 'get_task_result'],
    ['remove a project', 'delete_project'],
    ['projects', 'list_projects'],
    ['compare_runs', 'compare_runs'],
    ['history of a benchmark', 'get_benchmark_history'],
    ['disconnect an agent', 'revoke_connected_app'],
    ['rename project', 'update_project'],
    ['quota', 'get_usage'],
    ['grep in a log', 'read_file_lines'],
    ['which functions dominate the time of the running program', 'functions_timing'],
    ['are any functions showing p99 spikes', 'functions_timing'],
    ['the last 10 executions of a function', 'function_timing_logs'],
    ['where does my running program allocate memory', 'functions_alloc'],
    ['which queue is clogged', 'channels'],
    ['messages in a channel', 'channel_logs'],
    ['which threads use most cpu', 'threads'],
    ['are threads allocating without deallocating', 'threads'],
    ['memory that is never given back in a running program', 'compare_live_moments'],
    ['is a queue filling', 'compare_live_moments'],
    ['event loop lag', 'tokio_runtime'],
    ['pending promises', 'futures'],
    ['lock contention', 'live_resources'],
    ['slow sql queries of the running app', 'live_resources'],
    ['is my app still pushing', 'profiler_status'],
    ['instrument my program with OpenTelemetry', 'register_live_app'],
    ['connect a hotpath program', 'register_live_app'],
    ['prometheus metrics of the app', 'gauges'],
    ['why did my branch get slower, and fix it', 'compare_runs'],
    ['what got slower, and why', 'explain_regression'],
    ['did my pull request make it slower', 'compare_runs'],
    ['import a HAR', 'import_virtual_user'],
    ['import this recording of a browser', 'import_virtual_user'],
    ['run a load test with 50 users', 'run_scenario'],
    ['at what load does latency knee', 'get_report_insights'],
    ['send the report as PDF', 'export_bench_report_pdf'],
    ['fix correlations', 'suggest_correlations'],
    ['start the scenario', 'run_scenario'],
    ['stop all load', 'stop_bench_result'],
    ['compare two load tests', 'create_report'],
    ['schedule it every night', 'schedule_scenario'],
    ['replay a virtual user', 'validate_virtual_user'],
    ['verify a target host', 'verify_target'],
    ['notify Slack', 'set_notification'],
    ['set an SLA', 'set_sla_profile'],
    ['add an agent', 'get_agent_install_command'],
    ['load test my mcp server', 'load_test_mcp_server'],
    ['why is my mcp server slow', 'diagnose_mcp_server'],
    ['how many requests per second can the mcp server take', 'plan_mcp_capacity'],
  ])('%s: among the first three is %s', (question, expected) => {
    const found = searchTools(question).map((operation) => operation.id)
    expect(found.slice(0, 3)).toContain(expected)
  })

  test('has all for no words, in the order of the catalogue, and none for words that nothing has', () => {
    expect(searchTools(' ?').map((operation) => operation.id)).toEqual(tools)
    expect(searchTools('xylophone')).toEqual([])
    expect(searchTools('what is the')).toEqual([])
  })

  test('finds each tool by its own name and by its title, first', () => {
    for (const operation of catalogue.filter((each) => each.mcp)) {
      expect(searchTools(operation.id)[0]?.id).toBe(operation.id)
      expect(searchTools(operation.title).slice(0, 2)).toContain(operation)
    }
  })
})

test('synonyms are of tools that exist', () => {
  expect(Object.keys(synonyms).filter((name) => !tools.includes(name))).toEqual([])
})

test.each([
  ['compare_run', 'compare_runs'],
  ['compareRuns', 'compare_runs'],
  ['list_project', 'list_projects'],
  ['flamegraph', 'query_flamegraph'],
])('similarTools() for %s has %s', (name, expected) => {
  const similar = similarTools(name)
  expect(similar.length).toBeLessThanOrEqual(3)
  expect(similar).toContain(expected)
})

test('similarTools() has none for a name that is like none', () => {
  expect(similarTools('xylophone')).toEqual([])
})
