import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { Answer } from '../components/answer.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { usePages } from '../paged.ts'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import { NewReport } from '../reports/new-report.tsx'
import { ReportTable } from '../reports/report-table.tsx'
import { TemplateSection } from '../reports/template-section.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/reports')

/** The reports of the load tests of a project. */
export function ProjectBenchReportsPage() {
  const { projectId } = route.useParams()
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(projectId, 'member')
  const [typed, setTyped] = useTypedWords(
    search,
    (words) => void navigate({ search: { search: words }, replace: true, resetScroll: false }),
  )
  const { query, more } = usePages(
    operations.listBenchReports,
    { project_id: projectId, ...(search === undefined ? {} : { search }) },
    ({ bench_reports, next_cursor }) => ({ rows: bench_reports, nextCursor: next_cursor }),
  )
  return (
    <ProjectPage
      projectId={projectId}
      section="reports"
      title="Reports"
      lead="What load tests showed: of one, compared, or as a trend over many"
      actions={mayChange ? <NewReport projectId={projectId} /> : undefined}
    >
      <SearchField label="Find a report" value={typed} onChange={setTyped} className="w-64 max-sm:w-full" />
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(reports) =>
          reports.length === 0 && search === undefined ? (
            <EmptyState title="No reports yet">
              <p>Every load test makes one when it starts. Others compare several, or follow one scenario.</p>
            </EmptyState>
          ) : (
            <>
              <ReportTable rows={reports} mayChange={mayChange} whenEmpty="No reports that fit." />
              <LoadMore {...more} />
            </>
          )
        }
      </Answer>
      <TemplateSection projectId={projectId} mayChange={mayChange} />
    </ProjectPage>
  )
}
