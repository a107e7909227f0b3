import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { LinkList, NewLinkForm } from '../components/share-links.tsx'

/** A button that makes links to a report, and takes them back. */
export function ShareReport({ reportId }: { reportId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Share</Button>
      <Dialog title="Share this report" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewLink reportId={reportId} />
        <Links reportId={reportId} />
      </Dialog>
    </>
  )
}

function NewLink({ reportId }: { reportId: string }) {
  const call = useCall(operations.shareBenchReport, [operations.listBenchReportLinks])
  return (
    <NewLinkForm
      call={call}
      what="report"
      onCreate={(link) => call.mutate({ bench_report_id: reportId, ...link })}
    />
  )
}

function Links({ reportId }: { reportId: string }) {
  const query = useAnswer(operations.listBenchReportLinks, { bench_report_id: reportId })
  return (
    <LinkList
      label="Links to this report"
      links={query.data?.share_links ?? []}
      outdates={[operations.listBenchReportLinks]}
    />
  )
}
