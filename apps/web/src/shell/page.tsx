import { operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useAnswer } from '../api.ts'
import { DeletionNotice } from '../components/deletion-notice.tsx'
import { ChevronRight } from '../components/icons.tsx'
import { keepCurrentInSight } from '../components/keep-current-in-sight.ts'
import { SkeletonLine } from '../components/skeleton.tsx'
import { useWorkspaceOfProject } from './project-role.ts'
import { chooseWorkspace, useWorkspace } from './workspace.ts'

interface PageProps {
  /** Heading and document title. */
  title: string
  /** In place of the title's text, for instance while it is not known. */
  heading?: ReactNode
  /** Beside the heading. */
  actions?: ReactNode
  /** Under the heading. */
  lead?: ReactNode
  /** Flame graphs take the whole width. */
  wide?: boolean
  children: ReactNode
}

export const tabClass =
  'border-b-2 border-transparent px-3 py-2.5 whitespace-nowrap text-muted hover:text-text aria-[current]:border-accent aria-[current]:text-text'

/** A page about nothing in particular: home, connecting, personal settings. */
export function Page(
  props: PageProps & { navigation?: ReactNode; trail?: ReactNode; workspaceId?: string | undefined },
) {
  const {
    title,
    heading = title,
    actions,
    lead,
    wide = false,
    navigation,
    trail,
    workspaceId,
    children,
  } = props
  const width = wide ? 'max-w-none' : 'max-w-[112rem]'
  return (
    <>
      <title>{`${title} – Flamegate`}</title>
      {navigation}
      <div className={`mx-auto flex ${width} flex-col gap-6 px-4 pt-5 pb-16 sm:px-6`}>
        <div className="flex flex-col gap-2">
          {trail}
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
            <div className="min-w-0">
              <h1 className="text-2xl font-semibold tracking-tight break-words">{heading}</h1>
              {lead === undefined ? null : <div className="mt-1 wrap-anywhere text-muted">{lead}</div>}
            </div>
            {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
          </div>
        </div>
        <DeletionNotice workspaceId={workspaceId} />
        {children}
      </div>
    </>
  )
}

/** Ways to the pages beside this one. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="printed:hidden border-b border-line bg-surface">
      <div ref={keepCurrentInSight} className="flex overflow-x-auto px-1 sm:px-3">
        {children}
      </div>
    </nav>
  )
}

interface WorkspacePageProps extends PageProps {
  workspaceId: string
  /** The home page shows projects under another address. */
  isHome?: boolean
}

/** A page about a workspace, with the ways to its other pages. */
export function WorkspacePage({ workspaceId, isHome = false, ...props }: WorkspacePageProps) {
  useEffect(() => chooseWorkspace(workspaceId), [workspaceId])
  return (
    <Page
      {...props}
      workspaceId={workspaceId}
      navigation={<WorkspaceTabs workspaceId={workspaceId} isHome={isHome} />}
    />
  )
}

function WorkspaceTabs({ workspaceId, isHome }: { workspaceId: string; isHome: boolean }) {
  const params = { workspaceId }
  return (
    <Tabs label="Workspace">
      <Link
        to="/workspaces/$workspaceId/projects"
        params={params}
        className={tabClass}
        {...(isHome ? { 'aria-current': 'page' } : {})}
      >
        Projects
      </Link>
      <Link to="/workspaces/$workspaceId/members" params={params} className={tabClass}>
        Members
      </Link>
      <Link to="/workspaces/$workspaceId/api-tokens" params={params} className={tabClass}>
        API tokens
      </Link>
      <Link to="/workspaces/$workspaceId/load-generators" params={params} className={tabClass}>
        Load generators
      </Link>
      <Link to="/workspaces/$workspaceId/notifications" params={params} className={tabClass}>
        Notifications
      </Link>
      <Link to="/workspaces/$workspaceId/usage" params={params} className={tabClass}>
        Usage
      </Link>
      <Link to="/workspaces/$workspaceId/audit" params={params} className={tabClass}>
        Audit log
      </Link>
      <Link to="/workspaces/$workspaceId/settings" params={params} className={tabClass}>
        Settings
      </Link>
    </Tabs>
  )
}

interface Crumb {
  label: string
  /** Path on this site. */
  href: string
}

const noCrumbs: readonly Crumb[] = []

interface ProjectPageProps extends PageProps {
  /** Undefined while it is not known, null when it will not be. */
  projectId: string | null | undefined
  section:
    | 'runs'
    | 'benchmarks'
    | 'alerts'
    | 'thresholds'
    | 'profiles'
    | 'live-apps'
    | 'compare'
    | 'virtual-users'
    | 'scenarios'
    | 'bench-results'
    | 'reports'
    | 'notifications'
    | 'uploads'
  /** Between the project and this page. */
  crumbs?: readonly Crumb[]
}

/** A page inside a project, with the ways to its other pages and the way up. */
export function ProjectPage({ projectId, section, crumbs = noCrumbs, ...props }: ProjectPageProps) {
  const query = useAnswer(
    operations.getProject,
    { project_id: projectId ?? '' },
    { enabled: projectId !== undefined && projectId !== null },
  )
  const project = query.data?.project
  const chosen = useWorkspace()
  const workspace = useWorkspaceOfProject(projectId ?? undefined)
  const workspaceId = project?.workspace_id
  useEffect(() => {
    if (workspaceId !== undefined) chooseWorkspace(workspaceId)
  }, [workspaceId])
  return (
    <Page
      {...props}
      workspaceId={workspaceId}
      navigation={<ProjectTabs projectId={projectId} section={section} />}
      trail={
        <nav aria-label="Breadcrumb" className="text-sm wrap-anywhere text-muted">
          <ol className="flex flex-wrap items-center gap-1">
            <li>
              {workspace === undefined ? (
                <Link to="/" className="rounded-sm hover:text-text hover:underline">
                  {chosen?.name ?? 'Home'}
                </Link>
              ) : (
                <Link
                  to="/workspaces/$workspaceId/projects"
                  params={{ workspaceId: workspace.id }}
                  className="rounded-sm hover:text-text hover:underline"
                >
                  {workspace.name}
                </Link>
              )}
            </li>
            {projectId === null || query.isLoadingError ? null : (
              <CrumbItem>
                {project === undefined ? (
                  <SkeletonLine width="8rem" />
                ) : (
                  <Link
                    to="/projects/$projectId"
                    params={{ projectId: project.id }}
                    className="rounded-sm hover:text-text hover:underline"
                  >
                    {project.name}
                  </Link>
                )}
              </CrumbItem>
            )}
            {crumbs.map((crumb) => (
              <CrumbItem key={crumb.href}>
                <Link to={crumb.href} className="rounded-sm hover:text-text hover:underline">
                  {crumb.label}
                </Link>
              </CrumbItem>
            ))}
          </ol>
        </nav>
      }
    />
  )
}

function CrumbItem({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-center gap-1">
      <ChevronRight />
      {children}
    </li>
  )
}

function ProjectTabs({ projectId, section }: { projectId: string | null | undefined; section: string }) {
  if (projectId === undefined || projectId === null)
    return <div className="h-[2.8125rem] border-b border-line bg-surface" />
  const params = { projectId }
  const current = (name: string) => ({ 'aria-current': section === name ? ('page' as const) : undefined })
  return (
    <Tabs label="Project">
      <Link
        to="/projects/$projectId"
        params={params}
        // The other pages have addresses below this one.
        activeOptions={{ exact: true }}
        className={tabClass}
        {...current('runs')}
      >
        Runs
      </Link>
      <Link
        to="/projects/$projectId/benchmarks"
        params={params}
        className={tabClass}
        {...current('benchmarks')}
      >
        Benchmarks
      </Link>
      <Link to="/projects/$projectId/alerts" params={params} className={tabClass} {...current('alerts')}>
        Alerts
      </Link>
      <Link
        to="/projects/$projectId/thresholds"
        params={params}
        className={tabClass}
        {...current('thresholds')}
      >
        Thresholds
      </Link>
      <Link to="/projects/$projectId/profiles" params={params} className={tabClass} {...current('profiles')}>
        Profiles
      </Link>
      <Link
        to="/projects/$projectId/live-apps"
        params={params}
        className={tabClass}
        {...current('live-apps')}
      >
        Live
      </Link>
      <Link to="/compare" search={{ project: projectId }} className={tabClass} {...current('compare')}>
        Compare
      </Link>
      <Link
        to="/projects/$projectId/virtual-users"
        params={params}
        className={tabClass}
        {...current('virtual-users')}
      >
        Virtual users
      </Link>
      <Link
        to="/projects/$projectId/scenarios"
        params={params}
        className={tabClass}
        {...current('scenarios')}
      >
        Scenarios
      </Link>
      <Link
        to="/projects/$projectId/bench-results"
        params={params}
        className={tabClass}
        {...current('bench-results')}
      >
        Load tests
      </Link>
      <Link to="/projects/$projectId/reports" params={params} className={tabClass} {...current('reports')}>
        Reports
      </Link>
      <Link
        to="/projects/$projectId/notifications"
        params={params}
        className={tabClass}
        {...current('notifications')}
      >
        Notifications
      </Link>
      <Link to="/projects/$projectId/uploads" params={params} className={tabClass} {...current('uploads')}>
        Uploads
      </Link>
    </Tabs>
  )
}
