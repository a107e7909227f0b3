import { operations, type OutputOf } from '@flamegate/contract'
import type { McpReport } from '@flamegate/mcp-profiling'
import { madeReport } from '../../packages/mcp-profiling/src/testing/made-report.ts'
import { agentClient, invite, signUp, type Person } from './person.ts'

/** One of everything, in the workspace of `owner`. */
export interface World {
  owner: Person
  viewer: Person
  /** Somebody of another workspace. */
  outsider: Person
  projectId: string
  baseRunId: string
  headRunId: string
  benchmarkId: string
  benchmarkUri: string
  alertId: string
  profileId: string
  /** Three of one program, the oldest first. */
  heapProfileIds: string[]
  /** Two of one process, with one and with two objects of the class Item. */
  heapSnapshotIds: string[]
  fileId: string
  taskId: string
  /** Of a link to the profile, for members. */
  shareLinkId: string
  collectorId: string
  /** Of a capture that waits for the collector. */
  captureTaskId: string
  /** It pushed once: the function `f`, with an entry of its log. */
  liveAppId: string
  liveRecordingId: string
  /** Measured twice; the collector may measure it, too. */
  mcpTargetId: string
  /** The second of it. */
  mcpSessionId: string
  /** Waits for the collector. */
  mcpOrderedSessionId: string
  /** As mcp-profiler writes it. */
  mcpReport: McpReport
  webhookId: string
  deliveryId: string
  notificationId: string
  slaProfileId: string
  apiTokenId: string
  variableId: string
  httpServerId: string
  correlationRuleId: string
  scenarioId: string
  /** Of that scenario; it is not to run soon. */
  scheduleId: string
  /** Of a host that is not verified yet. */
  targetId: string
  /** Of users.csv. */
  projectFileId: string
  /** Recorded with answers. */
  virtualUserId: string
  validationId: string
  loadGeneratorId: string
  benchResultId: string
  /** Of that run. */
  benchReportId: string
  reportTemplateId: string
  /** Of that run; the load generator has it. */
  shardId: string
  monitorId: string
  /** Of the virtual user; the validation came to it. */
  validatedActionId: string
  /** Of the import that made the virtual user. */
  importTaskId: string
}

const recordedHar = {
  log: {
    version: '1.2',
    creator: { name: 'World', version: '1' },
    entries: ['/', '/about'].map((path) => ({
      startedDateTime: '2026-11-20T10:00:00.000Z',
      time: 1,
      request: { method: 'GET', url: `https://world.invalid${path}`, httpVersion: 'HTTP/1.1', headers: [] },
      response: {
        status: 200,
        statusText: 'OK',
        httpVersion: 'HTTP/1.1',
        headers: [],
        content: { size: 5, mimeType: 'text/plain', text: 'World' },
      },
      timings: { send: 0, wait: 1, receive: 0 },
    })),
  },
}

const goBench = (ns: number) =>
  `goos: linux\ngoarch: amd64\npkg: example.com/router\ncpu: Test CPU\n${Array.from({ length: 6 }, (_, round) => `BenchmarkRoute-2   \t  100000\t     ${ns + round} ns/op\t      64 B/op\t       2 allocs/op\n`).join('')}PASS\n`

export async function createWorld(): Promise<World> {
  const owner = await signUp('Owner')
  const viewer = await invite(owner, 'viewer', 'Viewer')
  const outsider = await signUp('Outsider')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'World',
    repository: `acme/world-${Date.now()}`,
  })
  const submit = (branch: string, ns: number) =>
    owner.client.call(operations.submitBenchmarkResults, {
      repository: project.id,
      branch,
      commit_hash: 'abcdef1234',
      results: goBench(ns),
    })
  // Whatever comes in on main is too slow, so that there is an alert.
  await owner.client.call(operations.setThreshold, {
    repository: project.id,
    branch: 'main',
    test: 'static',
    upper_bound: 1,
  })
  // Nobody is at that address: a delivery that waits.
  const { webhook } = await owner.client.call(operations.setWebhook, {
    project_id: project.id,
    target_url: 'https://hooks.invalid/',
  })
  const { notification } = await owner.client.call(operations.setNotification, {
    workspace_id: owner.workspaceId,
    name: 'of-the-world',
    channel: 'slack',
    target_url: 'https://hooks.invalid/',
  })
  const { sla_profile: slaProfile } = await owner.client.call(operations.setSlaProfile, {
    project_id: project.id,
    name: 'of-the-world',
    bands: [{ severity: 'critical', metric: 'error_share', from: 5 }],
  })
  const base = await submit('main', 1000)
  const head = await submit('feat/slow', 2000)
  const [benchmarkUri = ''] = base.benchmarks
  const profile = (runId: string) =>
    owner.client.call(operations.createProfileUpload, {
      project_id: project.id,
      file_name: 'stacks.txt',
      type: 'cpu',
      run_id: runId,
      benchmark: benchmarkUri,
      content: 'main;route;match 30\nmain;route 10\nmain;log 5\n',
    })
  await waitForTask(owner, (await profile(base.run.id)).task_id)
  const upload = await profile(head.run.id)
  await waitForTask(owner, upload.task_id)
  const heapProfileIds = await uploadHeapSeries(owner, project.id, [1000, 2000, 3000])
  const heapSnapshotIds = await Promise.all(
    [1, 2].map((count) => uploadHeapSnapshot(owner, project.id, count)),
  )
  const { collector_id: collectorId } = await owner.client.call(operations.connectCollector, {
    project_id: project.id,
    name: 'of-the-world',
    version: '0.1.0',
    captures: [{ name: 'shop', kind: 'pprof', types: ['cpu'], seconds_max: 60 }],
    mcp_servers: [
      {
        name: 'notes',
        transport: 'streamable_http',
        commands: ['profile', 'load-test'],
        operations: [],
        seconds_max: 60,
        rps_max: 100,
        concurrent_max: 10,
        settings: [],
      },
    ],
  })
  const mcpReport = madeReport()
  const measured = async (startedAt: string) =>
    owner.client.call(operations.uploadMcpReport, {
      project_id: project.id,
      report: { ...mcpReport, startedAt },
    })
  await measured('2026-11-22T10:00:00Z')
  const { mcp_session: mcpSession } = await measured('2026-11-22T11:00:00Z')
  const ordered = await owner.client.call(operations.profileMcpServer, {
    mcp_target_id: mcpSession.mcp_target_id,
  })
  const { live_app: liveApp } = await owner.client.call(operations.registerLiveApp, {
    project_id: project.id,
    name: 'of-the-world',
  })
  await owner.client.call(operations.pushLive, {
    live_app_id: liveApp.id,
    session: 'of-the-world',
    sequence: 0,
    at: Date.now(),
    program: { name: 'shop', source: 'profiler' },
    sections: {
      functions_timing: {
        status: 'on',
        items: [{ id: '1', name: 'f', distributions: { duration: { count: 1, total: 1000 } } }],
      },
      debug: { status: 'on', items: [{ id: '1', name: 'total', texts: { last_value: '12' } }] },
      values: { status: 'on', items: [{ id: '1', name: 'retries', texts: { last_value: '3' } }] },
    },
    logs: [{ section: 'functions_timing', item: '1', at: [Date.now()], value: [1000] }],
  })
  const { live_recording: liveRecording } = await owner.client.call(operations.pinLiveRecording, {
    live_app_id: liveApp.id,
    name: 'of the world',
  })
  const captured = await owner.client.call(operations.captureProfile, {
    project_id: project.id,
    capture: 'shop',
  })
  const { profile: read } = await owner.client.call(operations.getProfile, { profile_id: upload.profile_id })
  const { share_link } = await owner.client.call(operations.openProfileViewer, { profile_id: read.id })
  const run = await owner.client.call(operations.getRun, { run_id: base.run.id })
  const { deliveries } = await owner.client.call(operations.listDeliveries, { project_id: project.id })
  const token = await owner.client.call(operations.createApiToken, {
    workspace_id: owner.workspaceId,
    name: 'of the world',
    scopes: ['read'],
  })
  const { variable } = await owner.client.call(operations.createVariable, {
    project_id: project.id,
    name: 'world_user',
    type: 'uuid',
  })
  const { http_server } = await owner.client.call(operations.createHttpServer, {
    project_id: project.id,
    name: 'world',
    base_url: 'https://world.invalid',
  })
  const { rule } = await owner.client.call(operations.createCorrelationRule, {
    project_id: project.id,
    name: 'World',
    variable: 'world_token',
    type: 'cookie',
    find: 'world',
  })
  const { target } = await owner.client.call(operations.verifyTarget, {
    project_id: project.id,
    host: 'world.invalid',
  })
  const file = await owner.client.call(operations.uploadProjectFile, {
    project_id: project.id,
    path: 'users.csv',
    content: 'login\nada\n',
  })
  await waitForTask(owner, file.task_id)
  const imported = await owner.client.call(operations.importVirtualUser, {
    project_id: project.id,
    format: 'har',
    name: 'World',
    content: JSON.stringify(recordedHar),
  })
  await waitForTask(owner, imported.task_id)
  const { virtual_users } = await owner.client.call(operations.listVirtualUsers, { project_id: project.id })
  const virtualUserId = virtual_users[0]?.id ?? ''
  const started = await owner.client.call(operations.validateVirtualUser, { virtual_user_id: virtualUserId })
  await waitForTask(owner, started.task_id)
  const validated = await owner.client.call(operations.getVirtualUserValidationIndex, {
    virtual_user_id: virtualUserId,
  })
  // Its virtual user is its own, so that the other one can be deleted.
  const { http_server: aimedAt } = await owner.client.call(operations.createHttpServer, {
    project_id: project.id,
    name: 'here',
    base_url: 'http://127.0.0.1:9',
  })
  const { virtual_user: scripted } = await owner.client.call(operations.createVirtualUser, {
    project_id: project.id,
    name: 'Of the scenario',
    document: {
      actions: [{ type: 'http_request', id: 'act_1', method: 'GET', server_id: aimedAt.id, path: '/' }],
    },
  })
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: project.id,
    name: 'World',
    virtual_user_ids: [scripted.id],
    load: { type: 'ramp_up', users: 2, plateau_ms: 1000 },
  })
  const { schedule } = await owner.client.call(operations.scheduleScenario, {
    scenario_id: scenario.id,
    cron: '0 0 29 2 *',
  })
  const agent = await agentClient(owner)
  const { load_generator_id: loadGeneratorId } = await agent.call(operations.connectLoadGenerator, {
    workspace_id: owner.workspaceId,
    name: 'world',
    agent_group: 'default',
    version: '0.1.0',
    cores: 2,
    memory_bytes: 1e9,
  })
  const { bench_result } = await owner.client.call(operations.runScenario, { scenario_id: scenario.id })
  const benchReportId = bench_result.bench_report_id ?? ''
  const { template } = await owner.client.call(operations.saveReportTemplate, {
    bench_report_id: benchReportId,
    name: 'Of the world',
  })
  const { monitor } = await owner.client.call(operations.setMonitor, {
    project_id: project.id,
    name: 'host',
    document: { type: 'linux' },
  })
  const { shard } = await agent.call(operations.awaitShard, { load_generator_id: loadGeneratorId })
  return {
    owner,
    viewer,
    outsider,
    projectId: project.id,
    baseRunId: base.run.id,
    headRunId: head.run.id,
    benchmarkId: run.results[0]?.benchmark_id ?? '',
    benchmarkUri,
    alertId: (await waitForAlert(owner, project.id)).id,
    profileId: read.id,
    heapProfileIds,
    heapSnapshotIds,
    fileId: read.file_id,
    taskId: upload.task_id,
    shareLinkId: share_link.id,
    collectorId,
    liveAppId: liveApp.id,
    liveRecordingId: liveRecording.id,
    captureTaskId: captured.task_id ?? '',
    mcpTargetId: mcpSession.mcp_target_id,
    mcpSessionId: mcpSession.id,
    mcpOrderedSessionId: ordered.session?.id ?? '',
    mcpReport,
    webhookId: webhook.id,
    deliveryId: deliveries[0]?.id ?? '',
    notificationId: notification.id,
    slaProfileId: slaProfile.id,
    apiTokenId: token.api_token.id,
    variableId: variable.id,
    httpServerId: http_server.id,
    correlationRuleId: rule.id,
    scenarioId: scenario.id,
    scheduleId: schedule.id,
    targetId: target?.id ?? '',
    projectFileId: file.file_id,
    virtualUserId,
    validationId: validated.validation.id,
    loadGeneratorId,
    benchResultId: bench_result.id,
    benchReportId,
    reportTemplateId: template.id,
    shardId: shard?.shard_id ?? '',
    monitorId: monitor.id,
    validatedActionId: validated.actions[0]?.action_id ?? '',
    importTaskId: imported.task_id,
  }
}

const nowhere = { scriptId: '1', url: 'app.js', lineNumber: 1, columnNumber: 1 }

/** Heap profiles as V8 writes them, of one function that keeps so many bytes; one after the other. Gives their ids. */
export async function uploadHeapSeries(
  owner: Person,
  projectId: string,
  bytesInUse: readonly number[],
): Promise<string[]> {
  const ids: string[] = []
  for (const inUse of bytesInUse) {
    // oxlint-disable-next-line no-await-in-loop -- the times of their upload are those of the series
    ids.push(await uploadHeapProfile(owner, projectId, inUse))
  }
  return ids
}

async function uploadHeapProfile(owner: Person, projectId: string, inUse: number): Promise<string> {
  const keep = { callFrame: { ...nowhere, functionName: 'keep' }, selfSize: inUse, id: 2, children: [] }
  const upload = await owner.client.call(operations.createProfileUpload, {
    project_id: projectId,
    file_name: `heap-${inUse}.heapprofile`,
    content: JSON.stringify({
      head: { callFrame: { ...nowhere, functionName: '(root)' }, selfSize: 0, id: 1, children: [keep] },
    }),
  })
  await waitForTask(owner, upload.task_id)
  return upload.profile_id
}

/** A snapshot of V8's heap of a global object that refers to so many objects of the class Item, 100 bytes each. */
export async function uploadHeapSnapshot(
  owner: Person,
  projectId: string,
  itemCount: number,
): Promise<string> {
  const items = Array.from({ length: itemCount }, (_, index) => index)
  const upload = await owner.client.call(operations.createProfileUpload, {
    project_id: projectId,
    file_name: `of-${itemCount}.heapsnapshot`,
    content: JSON.stringify({
      snapshot: {
        meta: {
          node_fields: ['type', 'name', 'id', 'self_size', 'edge_count'],
          node_types: [['synthetic', 'object'], 'string', 'number', 'number', 'number'],
          edge_fields: ['type', 'name_or_index', 'to_node'],
          edge_types: [['element', 'property'], 'string_or_number', 'node'],
        },
        node_count: 2 + itemCount,
        edge_count: 1 + itemCount,
      },
      nodes: [
        0,
        0,
        1,
        0,
        1,
        1,
        1,
        3,
        20,
        itemCount,
        ...items.flatMap((index) => [1, 2, 5 + 2 * index, 100, 0]),
      ],
      edges: [0, 1, 5, ...items.flatMap((index) => [1, 3, 10 + 5 * index])],
      strings: ['', 'global', 'Item', 'item'],
    }),
  })
  await waitForTask(owner, upload.task_id)
  return upload.profile_id
}

/** The newest alert of a project, when there is one. */
export async function waitForAlert(
  person: Person,
  projectId: string,
): Promise<OutputOf<typeof operations.getBenchmarkHistory>['alerts'][number]> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const { alerts } = await person.client.call(operations.listPerformanceAlerts, { project_id: projectId })
    if (alerts[0]?.kind === 'benchmark') return alerts[0]
    if (Date.now() > deadline) throw new Error('No alert was raised.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export async function waitForTask(person: Person, taskId: string): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const { task } = await person.client.call(operations.getTaskResult, { task_id: taskId })
    if (task.status === 'SUCCESS') return task.result ?? {}
    if (task.status === 'FAILED')
      throw new Error(`Task failed: ${task.problem?.code} ${task.problem?.detail}`)
    if (Date.now() > deadline) throw new Error('The task did not end.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
