import { getRouteApi } from '@tanstack/react-router'
import { UploadSteps } from '../components/upload-steps.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { CollectorsSection } from '../uploads/collectors-section.tsx'
import { KeylessSection } from '../uploads/keyless-section.tsx'
import { SourceSection } from '../uploads/source-section.tsx'
import { WorkflowSection } from '../uploads/workflow-section.tsx'

const route = getRouteApi('/app/projects/$projectId/uploads')

/** How results and profiles get into a project, who may bring them without a secret, who takes profiles, and what of it is whose. */
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
      <CollectorsSection projectId={projectId} />
      <SourceSection projectId={projectId} mayChange={mayChange} />
    </ProjectPage>
  )
}
