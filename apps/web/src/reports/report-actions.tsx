import { type AnswerOf, operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { useRestore } from '../design/use-restore.ts'
import { ExportReport } from './export-report.tsx'
import { SaveTemplate } from './save-template.tsx'
import { ShareReport } from './share-report.tsx'

interface Props {
  report: AnswerOf<typeof operations.getBenchReport>['bench_report']
  mayChange: boolean
}

/** What can be done with a report: change it, give it to others, keep its form, delete it. */
export function ReportActions({ report, mayChange }: Props) {
  const { id, name, project_id: projectId } = report
  const [asked, setAsked] = useState<'template' | 'delete'>()
  const restore = useRestore(operations.restoreBenchReport, [operations.listBenchReports])
  const navigate = useNavigate()
  const print = {
    label: 'Show for printing',
    onAction: () =>
      void navigate({ to: '/reports/$reportId', params: { reportId: id }, search: { print: '1' } }),
  }
  return (
    <>
      {mayChange ? (
        <>
          <ShareReport reportId={id} />
          <ExportReport report={report} />
        </>
      ) : null}
      <MoreActions
        of={name}
        actions={
          mayChange
            ? [
                print,
                { label: 'Save as a template', onAction: () => setAsked('template') },
                { label: 'Delete', onAction: () => setAsked('delete') },
              ]
            : [print]
        }
      />
      {asked === 'template' ? <SaveTemplate report={report} onClose={() => setAsked(undefined)} /> : null}
      {asked === 'delete' ? (
        <ConfirmCall
          title={`Delete ${name}?`}
          action="Delete"
          operation={operations.deleteBenchReport}
          input={{ bench_report_id: id }}
          outdates={[operations.listBenchReports]}
          onDone={() => {
            restore.offer({ bench_report_id: id }, name)
            void navigate({ to: '/projects/$projectId/reports', params: { projectId } })
          }}
          onClose={() => setAsked(undefined)}
        >
          Its runs and what was measured in them stay.
        </ConfirmCall>
      ) : null}
    </>
  )
}
