import { getRouteApi } from '@tanstack/react-router'
import { BadgeSection } from '../notifications/badge-section.tsx'
import { DeliverySection } from '../notifications/delivery-section.tsx'
import { GithubSection } from '../notifications/github-section.tsx'
import { WebhookSection } from '../notifications/webhook-section.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/notifications')

/** How others are told of what happens in a project. */
export function ProjectNotificationsPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'admin')
  return (
    <ProjectPage
      projectId={projectId}
      section="notifications"
      title="Notifications"
      lead="Who else is told of runs and alerts, and how"
    >
      {mayChange ? <WebhookSection projectId={projectId} /> : null}
      <GithubSection projectId={projectId} mayChange={mayChange} />
      {mayChange ? <DeliverySection projectId={projectId} /> : null}
      <BadgeSection projectId={projectId} mayChange={mayChange} />
    </ProjectPage>
  )
}
