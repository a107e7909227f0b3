import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { filterNames } from './audit/filters.ts'
import { isSignedOut } from './api.ts'
import { readProfileSearch } from './profile-views/view-search.ts'
import { parseSearch, stringifySearch, words } from './search-params.ts'
import { AppErrorPage } from './shell/app-error-page.tsx'
import { ErrorPage } from './shell/error-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { PendingPage } from './shell/pending-page.tsx'
import { meOptions } from './shell/workspace.ts'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

interface Opening {
  context: { queries: QueryClient }
  location: { href: string; hash: string }
}

async function mustBeLoggedIn({ context, location }: Opening): Promise<void> {
  try {
    await context.queries.ensureQueryData(meOptions)
  } catch (error) {
    if (!isSignedOut(error)) throw error
    throw redirect({ to: '/log-in', search: { return_to: location.href } })
  }
}

/** What is public has its secret behind the #; else a link is for members. */
async function mustHaveSecretOrBeLoggedIn(opening: Opening): Promise<void> {
  if (opening.location.hash === '') await mustBeLoggedIn(opening)
}

/** Pages for people who are not logged in, and those with one decision. */
const signIn = [
  createRoute({
    getParentRoute: () => root,
    path: '/log-in',
    validateSearch: words('interaction', 'return_to', 'step', 'refused'),
    component: lazyRouteComponent(() => import('./pages/log-in.tsx'), 'LogInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/sso',
    validateSearch: words('interaction', 'return_to', 'email'),
    component: lazyRouteComponent(() => import('./pages/sso-sign-in.tsx'), 'SsoSignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/sso/$slug',
    validateSearch: words('interaction', 'return_to', 'email'),
    component: lazyRouteComponent(() => import('./pages/sso-sign-in.tsx'), 'SsoSignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-up',
    validateSearch: words('interaction', 'return_to'),
    component: lazyRouteComponent(() => import('./pages/sign-up.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify-email',
    validateSearch: words('token'),
    component: lazyRouteComponent(() => import('./pages/verify-email.tsx'), 'VerifyEmailPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./pages/forgot-password.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    validateSearch: words('token'),
    component: lazyRouteComponent(() => import('./pages/reset-password.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/change-email',
    validateSearch: words('token'),
    beforeLoad: mustBeLoggedIn,
    component: lazyRouteComponent(() => import('./pages/change-email.tsx'), 'ChangeEmailPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/undo-email-change',
    validateSearch: words('token'),
    component: lazyRouteComponent(() => import('./pages/undo-email-change.tsx'), 'UndoEmailChangePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/shared/$linkId',
    beforeLoad: mustHaveSecretOrBeLoggedIn,
    component: lazyRouteComponent(() => import('./pages/shared-profile.tsx'), 'SharedProfilePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/shared/reports/$linkId',
    validateSearch: words('print'),
    beforeLoad: mustHaveSecretOrBeLoggedIn,
    component: lazyRouteComponent(() => import('./pages/shared-bench-report.tsx'), 'SharedBenchReportPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/join',
    validateSearch: words('token', 'invitation'),
    component: lazyRouteComponent(() => import('./pages/join.tsx'), 'JoinPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/consent/$uid',
    component: lazyRouteComponent(() => import('./pages/consent.tsx'), 'ConsentPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/device',
    validateSearch: words('user_code'),
    beforeLoad: mustBeLoggedIn,
    component: lazyRouteComponent(() => import('./pages/device.tsx'), 'DevicePage'),
  }),
] as const

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: mustBeLoggedIn,
  component: lazyRouteComponent(() => import('./shell/app-shell.tsx'), 'AppShell'),
  errorComponent: ErrorPage,
})

const pages = [
  createRoute({
    getParentRoute: () => app,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/home.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/connect',
    validateSearch: words('client'),
    component: lazyRouteComponent(() => import('./pages/connect.tsx'), 'ConnectPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/connect/tools',
    component: lazyRouteComponent(() => import('./pages/tool-addresses.tsx'), 'ToolAddressesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/doctor',
    component: lazyRouteComponent(() => import('./pages/doctor.tsx'), 'DoctorPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/settings/account',
    validateSearch: words('refused'),
    component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/admin/jobs',
    component: lazyRouteComponent(() => import('./pages/admin-jobs.tsx'), 'AdminJobsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/admin/people',
    component: lazyRouteComponent(() => import('./pages/admin-people.tsx'), 'AdminPeoplePage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/admin/plans',
    component: lazyRouteComponent(() => import('./pages/admin-plans.tsx'), 'AdminPlansPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/admin/usage',
    validateSearch: words('month'),
    component: lazyRouteComponent(() => import('./pages/admin-usage.tsx'), 'AdminUsagePage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/admin/workspaces',
    component: lazyRouteComponent(() => import('./pages/admin-workspaces.tsx'), 'AdminWorkspacesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/security-events',
    component: lazyRouteComponent(() => import('./pages/security-events.tsx'), 'SecurityEventsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/oauth-clients',
    component: lazyRouteComponent(() => import('./pages/oauth-clients.tsx'), 'OAuthClientsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/connected-apps',
    component: lazyRouteComponent(() => import('./pages/connected-apps.tsx'), 'ConnectedAppsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/connected-apps/$appId',
    component: lazyRouteComponent(() => import('./pages/connected-app.tsx'), 'ConnectedAppPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces',
    component: lazyRouteComponent(() => import('./pages/workspaces.tsx'), 'WorkspacesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces/$workspaceId/projects',
    component: lazyRouteComponent(() => import('./pages/workspace-projects.tsx'), 'WorkspaceProjectsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces/$workspaceId/members',
    component: lazyRouteComponent(() => import('./pages/members.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces/$workspaceId/settings',
    component: lazyRouteComponent(() => import('./pages/workspace-settings.tsx'), 'WorkspaceSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces/$workspaceId/sso',
    component: lazyRouteComponent(() => import('./pages/workspace-sso.tsx'), 'WorkspaceSsoPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces/$workspaceId/api-tokens',
    component: lazyRouteComponent(() => import('./pages/api-tokens.tsx'), 'ApiTokensPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces/$workspaceId/usage',
    component: lazyRouteComponent(() => import('./pages/workspace-usage.tsx'), 'WorkspaceUsagePage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces/$workspaceId/audit',
    validateSearch: words(...filterNames),
    component: lazyRouteComponent(() => import('./pages/audit-log.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects',
    component: lazyRouteComponent(() => import('./pages/projects.tsx'), 'ProjectsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId',
    validateSearch: words('branch'),
    component: lazyRouteComponent(() => import('./pages/project-runs.tsx'), 'ProjectRunsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/benchmarks',
    validateSearch: words('search', 'state', 'sort'),
    component: lazyRouteComponent(() => import('./pages/project-benchmarks.tsx'), 'ProjectBenchmarksPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/alerts',
    validateSearch: words('state', 'branch', 'sort'),
    component: lazyRouteComponent(() => import('./pages/project-alerts.tsx'), 'ProjectAlertsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/thresholds',
    validateSearch: words('benchmark', 'sort'),
    component: lazyRouteComponent(() => import('./pages/project-thresholds.tsx'), 'ProjectThresholdsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/notifications',
    component: lazyRouteComponent(
      () => import('./pages/project-notifications.tsx'),
      'ProjectNotificationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/uploads',
    component: lazyRouteComponent(() => import('./pages/project-uploads.tsx'), 'ProjectUploadsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/profiles',
    validateSearch: words('type', 'chosen'),
    component: lazyRouteComponent(() => import('./pages/project-profiles.tsx'), 'ProjectProfilesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/virtual-users',
    validateSearch: words('search', 'tag', 'deleted'),
    component: lazyRouteComponent(
      () => import('./pages/project-virtual-users.tsx'),
      'ProjectVirtualUsersPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/virtual-users/import',
    component: lazyRouteComponent(
      () => import('./pages/virtual-user-import.tsx'),
      'NewVirtualUserImportPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/imports/$taskId',
    validateSearch: words('outcome', 'search', 'project'),
    component: lazyRouteComponent(() => import('./pages/virtual-user-import.tsx'), 'VirtualUserImportPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/virtual-users/$virtualUserId',
    validateSearch: words('action', 'filter', 'view'),
    component: lazyRouteComponent(() => import('./pages/virtual-user.tsx'), 'VirtualUserPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/virtual-users/$virtualUserId/versions',
    validateSearch: words('compare', 'with'),
    component: lazyRouteComponent(
      () => import('./pages/virtual-user-versions.tsx'),
      'VirtualUserVersionsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/virtual-users/$virtualUserId/validations',
    component: lazyRouteComponent(
      () => import('./pages/virtual-user-validations.tsx'),
      'VirtualUserValidationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/virtual-users/$virtualUserId/validations/$validationId',
    validateSearch: words('outcome', 'iteration', 'search', 'action', 'sequence', 'part', 'exchange', 'raw'),
    component: lazyRouteComponent(
      () => import('./pages/virtual-user-validation.tsx'),
      'VirtualUserValidationPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/virtual-users/$virtualUserId/correlations',
    validateSearch: words('suggestion', 'confidence'),
    component: lazyRouteComponent(
      () => import('./pages/virtual-user-correlations.tsx'),
      'VirtualUserCorrelationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/virtual-users/$virtualUserId/sanity',
    component: lazyRouteComponent(() => import('./pages/virtual-user-sanity.tsx'), 'VirtualUserSanityPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/scenarios',
    validateSearch: words('search', 'tag', 'deleted'),
    component: lazyRouteComponent(() => import('./pages/project-scenarios.tsx'), 'ProjectScenariosPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/monitors',
    component: lazyRouteComponent(() => import('./pages/project-monitors.tsx'), 'ProjectMonitorsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/live-apps',
    component: lazyRouteComponent(() => import('./pages/project-live-apps.tsx'), 'ProjectLiveAppsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/live-recordings',
    validateSearch: words('app'),
    component: lazyRouteComponent(
      () => import('./pages/project-live-recordings.tsx'),
      'ProjectLiveRecordingsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/live-recordings/$liveRecordingId',
    validateSearch: words('section', 'filter'),
    component: lazyRouteComponent(() => import('./pages/live-recording.tsx'), 'LiveRecordingPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/live-apps/compare',
    validateSearch: words(
      'base',
      'head',
      'until',
      'base_until',
      'seconds',
      'section',
      'filter',
      'times',
      'amounts',
      'growing',
    ),
    component: lazyRouteComponent(() => import('./pages/compare-live.tsx'), 'CompareLivePage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/live-apps/$liveAppId',
    validateSearch: words('section', 'filter', 'window'),
    component: lazyRouteComponent(() => import('./pages/live-app.tsx'), 'LiveAppPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/mcp-servers',
    component: lazyRouteComponent(() => import('./pages/project-mcp-servers.tsx'), 'ProjectMcpServersPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/mcp-targets/$mcpTargetId',
    component: lazyRouteComponent(() => import('./pages/mcp-target.tsx'), 'McpTargetPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/mcp-targets/$mcpTargetId/compare',
    validateSearch: words('base', 'head'),
    component: lazyRouteComponent(() => import('./pages/compare-mcp-sessions.tsx'), 'CompareMcpSessionsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/mcp-sessions/$mcpSessionId',
    component: lazyRouteComponent(() => import('./pages/mcp-session.tsx'), 'McpSessionPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/sla-profiles',
    component: lazyRouteComponent(() => import('./pages/project-sla-profiles.tsx'), 'ProjectSlaProfilesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/schedules',
    component: lazyRouteComponent(() => import('./pages/project-schedules.tsx'), 'ProjectSchedulesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/scenarios/$scenarioId',
    component: lazyRouteComponent(() => import('./pages/scenario.tsx'), 'ScenarioPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/scenarios/$scenarioId/versions',
    validateSearch: words('compare', 'with'),
    component: lazyRouteComponent(() => import('./pages/scenario-versions.tsx'), 'ScenarioVersionsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/bench-results',
    validateSearch: words('scenario'),
    component: lazyRouteComponent(
      () => import('./pages/project-bench-results.tsx'),
      'ProjectBenchResultsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/bench-results/$benchResultId',
    validateSearch: words('from', 'to', 'sort', 'sample'),
    component: lazyRouteComponent(() => import('./pages/bench-result.tsx'), 'BenchResultPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/reports',
    validateSearch: words('search'),
    component: lazyRouteComponent(
      () => import('./pages/project-bench-reports.tsx'),
      'ProjectBenchReportsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/reports/$reportId',
    validateSearch: words('print'),
    component: lazyRouteComponent(() => import('./pages/bench-report.tsx'), 'BenchReportPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/reports/$reportId/edit',
    component: lazyRouteComponent(() => import('./pages/bench-report-edit.tsx'), 'BenchReportEditPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/reports/$reportId/versions',
    validateSearch: words('compare', 'with'),
    component: lazyRouteComponent(
      () => import('./pages/bench-report-versions.tsx'),
      'BenchReportVersionsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces/$workspaceId/notifications',
    component: lazyRouteComponent(
      () => import('./pages/workspace-notifications.tsx'),
      'WorkspaceNotificationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/workspaces/$workspaceId/load-generators',
    component: lazyRouteComponent(() => import('./pages/load-generators.tsx'), 'LoadGeneratorsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/variables',
    component: lazyRouteComponent(() => import('./pages/project-variables.tsx'), 'ProjectVariablesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/design-objects/$objectId/versions',
    validateSearch: words('compare', 'with'),
    component: lazyRouteComponent(
      () => import('./pages/design-object-versions.tsx'),
      'DesignObjectVersionsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/http-servers',
    component: lazyRouteComponent(() => import('./pages/project-http-servers.tsx'), 'ProjectHttpServersPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/correlation-rules',
    component: lazyRouteComponent(
      () => import('./pages/project-correlation-rules.tsx'),
      'ProjectCorrelationRulesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/files',
    component: lazyRouteComponent(() => import('./pages/project-files.tsx'), 'ProjectFilesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/projects/$projectId/targets',
    validateSearch: words('host'),
    component: lazyRouteComponent(() => import('./pages/project-targets.tsx'), 'ProjectTargetsPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/runs/$runId',
    validateSearch: words('search', 'instrument', 'sort'),
    component: lazyRouteComponent(() => import('./pages/run.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/runs/$runId/report',
    validateSearch: words('base'),
    component: lazyRouteComponent(() => import('./pages/run-report.tsx'), 'RunReportPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/runs/$runId/flame-graph',
    validateSearch: words('benchmark'),
    component: lazyRouteComponent(() => import('./pages/run-flame-graph.tsx'), 'RunFlameGraphPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/compare',
    validateSearch: words('base', 'head', 'project', 'verdict', 'search', 'sort', 'benchmark', 'explain'),
    component: lazyRouteComponent(() => import('./pages/compare.tsx'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/benchmarks/$benchmarkId',
    validateSearch: words('run', 'branch', 'hidden', 'metric', 'from', 'scale', 'since', 'until', 'sort'),
    component: lazyRouteComponent(() => import('./pages/benchmark.tsx'), 'BenchmarkPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/profiles/compare',
    validateSearch: words(
      'base',
      'head',
      'benchmark',
      'type',
      'normalize',
      'by',
      'search',
      'state',
      'sort',
      'zoom',
      'part',
      'colors',
    ),
    component: lazyRouteComponent(() => import('./pages/compare-profiles.tsx'), 'CompareProfilesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/profiles/heap-series',
    validateSearch: words('ids'),
    component: lazyRouteComponent(() => import('./pages/heap-series.tsx'), 'HeapSeriesPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/profiles/$profileId',
    validateSearch: readProfileSearch,
    component: lazyRouteComponent(() => import('./pages/profile.tsx'), 'ProfilePage'),
  }),
] as const

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([...signIn, app.addChildren([...pages])]),
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: AppErrorPage,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
