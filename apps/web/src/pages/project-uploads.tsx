import { getRouteApi } from '@tanstack/react-router'
import { UploadSteps } from '../components/upload-steps.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { KeylessSection } from '../uploads/keyless-section.tsx'
import { WorkflowSection } from '../uploads/workflow-section.tsx'

const route = getRouteApi('/app/projects/$projectId/uploads')

/** How results get into a project, and who may bring them without a secret. */
export function ProjectUploadsPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  return (
    <ProjectPage
      projectId={projectId}
      section="uploads"
      title="Uploads"
      lead="How results get here, and who may bring them without a secret"
    >
      <KeylessSection projectId={projectId} mayChange={mayChange} />
      <WorkflowSection projectId={projectId} />
      <UploadSteps projectId={projectId} />
    </ProjectPage>
  )
}
