import { idPrefixes, operations, Problem, roleAtLeast, type Caller, type Role } from '@flamegate/contract'
import type { CallContext } from './implement.ts'
import { requireFeatureOf } from './limits/plan-features.ts'
import type {
  Alert,
  Benchmark,
  Profile,
  Project,
  ProjectWithCounts,
  Run,
  ShareLink,
  Workspace,
} from './ports/index.ts'

/**
 * How handlers reach the thing a call is about. Each finds it among what the caller may read (another
 * workspace's thing is a missing thing), checks the role the operation needs there, and tells the audit log.
 */

export async function getWorkspace(context: CallContext, id: string): Promise<Workspace & { role: Role }> {
  const workspace = await context.deps.stores.workspaces.find(context.caller, id)
  if (workspace === undefined) {
    throw new Problem('workspace_not_found', 'You are in no such workspace.', {
      hint: [operations.listWorkspaces, 'shows yours'],
    })
  }
  return { ...workspace, role: await reach(context, workspace.id, workspace.id) }
}

export async function getProject(context: CallContext, id: string): Promise<Project> {
  return reachedProject(context, await context.deps.stores.projects.find(context.caller, id))
}

/** The same for those who tell how much is in it. */
export async function getProjectWithCounts(context: CallContext, id: string): Promise<ProjectWithCounts> {
  return reachedProject(context, await context.deps.stores.projects.findWithCounts(context.caller, id))
}

async function reachedProject<P extends Project>(context: CallContext, project: P | undefined): Promise<P> {
  if (project === undefined) {
    throw new Problem('project_not_found', 'No such project in your workspaces.', {
      hint: [operations.listProjects, 'shows the ones there are'],
    })
  }
  await reach(context, project.workspaceId, project.id)
  return project
}

/** By `owner/name`, or by the project's id. */
export async function getProjectOfRepository(
  context: CallContext,
  reference: string,
): Promise<{ id: string; workspaceId: string }> {
  const { projects } = context.deps.stores
  const project = reference.includes('/')
    ? await projects.findByRepository(context.caller, reference)
    : await projects.find(context.caller, reference)
  if (project === undefined) {
    throw new Problem('repository_not_found', `You see no repository or project ${reference}.`, {
      hint: [operations.listRepositories, 'shows the ones there are'],
    })
  }
  await reach(context, project.workspaceId, project.id)
  return project
}

export const isRunId = (reference: string): boolean => reference.startsWith(`${idPrefixes.run}_`)

/**
 * By id; else the newest completed one: of anything for `latest`, of a branch by its name, and of the repository and
 * branch when given.
 */
export async function getRun(
  context: CallContext,
  reference: string,
  narrow: { repository?: string | undefined; branch?: string | undefined; before?: Date | undefined } = {},
): Promise<Run> {
  const project =
    narrow.repository === undefined ? undefined : await getProjectOfRepository(context, narrow.repository)
  const isId = isRunId(reference)
  const branch = reference === 'latest' ? narrow.branch : reference
  const run = isId
    ? await context.deps.stores.runs.find(context.caller, reference)
    : await context.deps.stores.runs.findLatest(context.caller, {
        projectId: project?.id,
        branch,
        before: narrow.before,
      })
  if (run === undefined) {
    throw new Problem(
      'run_not_found',
      isId
        ? 'No such run in your workspaces.'
        : `There is no completed run yet that fits${branch === undefined ? '' : `, of branch ${branch}`}.`,
      { hint: [operations.listRuns, 'shows the ones there are'] },
    )
  }
  await reach(context, run.workspaceId, run.id)
  return run
}

/** By id; in a project also by a uri that it has or had. */
export async function getBenchmark(
  context: CallContext,
  reference: string,
  projectId?: string,
): Promise<Benchmark> {
  const { benchmarks } = context.deps.stores
  const benchmark =
    (await benchmarks.find(context.caller, reference)) ??
    (projectId === undefined ? undefined : await benchmarks.findByUri(context.caller, projectId, reference))
  if (benchmark === undefined) {
    const place =
      projectId !== undefined
        ? 'in this project'
        : reference.startsWith(`${idPrefixes.benchmark}_`)
          ? 'in your workspaces'
          : 'by that id. Where a uri may be given, give repository with it'
    throw new Problem('benchmark_not_found', `No such benchmark ${place}.`, {
      hint: [operations.listBenchmarks, 'shows the ones there are'],
    })
  }
  await reach(context, benchmark.workspaceId, benchmark.id)
  return benchmark
}

/** An alert about a benchmark, or about a program: a live app or an MCP target. */
export async function getAlert(
  context: CallContext,
  id: string,
): Promise<Pick<Alert, 'id'> & { kind: 'benchmark' | 'program' }> {
  const { alerts, liveAlerts } = context.deps.stores
  const isLive = id.startsWith(`${idPrefixes.liveAlert}_`)
  const alert = await (isLive ? liveAlerts : alerts).find(context.caller, id)
  if (alert === undefined) {
    throw new Problem('alert_not_found', 'No such alert in your workspaces.', {
      hint: [operations.listPerformanceAlerts, 'shows the ones there are'],
    })
  }
  await reach(context, alert.workspaceId, alert.id)
  return { id: alert.id, kind: isLive ? 'program' : 'benchmark' }
}

export async function getProfile(context: CallContext, id: string): Promise<Profile> {
  const profile = await context.deps.stores.profiles.find(context.caller, id)
  if (profile === undefined) {
    throw new Problem('profile_not_found', 'No such profile in your workspaces.', {
      hint: [operations.listProfiles, 'shows the ones there are'],
    })
  }
  await reach(context, profile.workspaceId, profile.id)
  return profile
}

export async function getShareLink(context: CallContext, id: string): Promise<ShareLink> {
  const link = await context.deps.stores.shareLinks.find(context.caller, id)
  if (link === undefined) {
    throw new Problem(
      'share_link_not_found',
      'There is no such link, or not any more, or it is of a workspace that you are not in.',
    )
  }
  await reach(context, link.workspaceId, link.id)
  return link
}

/**
 * Reaches the first thing that the input names by its id, for a call that is not done now. An input that names nothing
 * that is there reaches nothing: the call itself will say so.
 */
export async function reachPlaceOf(input: Record<string, unknown>, context: CallContext): Promise<void> {
  const { caller, deps } = context
  const {
    alerts,
    apiTokens,
    benchmarks,
    benchRuns,
    designs,
    files,
    live,
    liveAlerts,
    liveRecordings,
    mcp,
    notifications,
    profiles,
    projects,
    runs,
    schedules,
    shareLinks,
    targets,
    tasks,
  } = deps.stores
  const stores = new Map<string, FindsPlaces>([
    [idPrefixes.alert, alerts],
    [idPrefixes.apiToken, apiTokens],
    [idPrefixes.benchmark, benchmarks],
    [idPrefixes.variable, designs],
    [idPrefixes.httpServer, designs],
    [idPrefixes.virtualUser, designs],
    [idPrefixes.correlationRule, designs],
    [idPrefixes.scenario, designs],
    [idPrefixes.monitor, designs],
    [idPrefixes.slaProfile, designs],
    [idPrefixes.notification, notifications],
    [idPrefixes.benchReport, designs],
    [idPrefixes.reportTemplate, designs],
    [idPrefixes.benchResult, benchRuns],
    [idPrefixes.target, targets],
    [idPrefixes.file, files],
    [idPrefixes.liveAlert, liveAlerts],
    [idPrefixes.liveApp, live],
    [idPrefixes.liveRecording, liveRecordings],
    [idPrefixes.mcpTarget, { find: (...which) => mcp.findTarget(...which) }],
    [idPrefixes.mcpSession, { find: (...which) => mcp.findSession(...which) }],
    [idPrefixes.profile, profiles],
    [idPrefixes.project, projects],
    [idPrefixes.run, runs],
    [idPrefixes.schedule, schedules],
    [idPrefixes.shareLink, shareLinks],
    [idPrefixes.task, tasks],
    [idPrefixes.workspace, deps.stores.workspaces],
  ])
  for (const id of Object.values(input)) {
    if (typeof id !== 'string') continue
    const store = stores.get(id.split('_')[0] ?? '')
    // oxlint-disable-next-line no-await-in-loop -- the first one that is there decides
    const found = await store?.find(caller, id)
    if (found === undefined) continue
    await reach(context, found.workspaceId ?? found.id, found.id)
    return
  }
}

interface FindsPlaces {
  /** A workspace is its own place. */
  find(caller: Caller, id: string): Promise<{ id: string; workspaceId?: string } | undefined>
}

/** Checks the role that the operation needs in the workspace of its target, whether its plan has it, and the limits of that workspace. */
export async function reach(context: CallContext, workspaceId: string, targetId: string): Promise<Role> {
  context.concerns(workspaceId, targetId)
  const role = requireRole(context.caller, workspaceId, context.operation.role)
  await requireFeatureOf(context.deps.stores, workspaceId, context.operation)
  await context.enterWorkspace(workspaceId)
  return role
}

/** @throws Problem `insufficient_role` */
export function requireRole(caller: Caller, workspaceId: string, needed: Role): Role {
  const role = caller.roles.get(workspaceId)
  if (role === undefined || !roleAtLeast(role, needed)) {
    throw new Problem(
      'insufficient_role',
      `This needs the role ${needed} in the workspace; you are ${role ?? 'no member'}. Ask an admin of it.`,
    )
  }
  return role
}
