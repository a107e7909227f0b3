import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonLine } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'

type GithubReport = AnswerOf<typeof operations.getGithubReport>

interface Props {
  projectId: string
  mayChange: boolean
}

/** What GitHub is told of pull requests. */
export function GithubSection({ projectId, mayChange }: Props) {
  const query = useAnswer(operations.getGithubReport, { project_id: projectId })
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title="Pull requests on GitHub">
      <Answer query={query} skeleton={<SkeletonLine width="20rem" />}>
        {(report) => (
          <div className="flex flex-col items-start gap-3">
            <p className="wrap-anywhere text-muted">{wordsOf(report)}</p>
            {mayChange ? (
              <Button isDisabled={report.repository === null} onPress={() => setOpen(true)}>
                {report.is_active ? 'Change…' : 'Report pull requests…'}
              </Button>
            ) : null}
            {isOpen ? <GithubDialog report={report} onClose={() => setOpen(false)} /> : null}
          </div>
        )}
      </Answer>
    </Section>
  )
}

function wordsOf({ is_active, sets_status, comments, repository }: GithubReport): string {
  if (repository === null)
    return 'The project has no repository. Give it one, and its pull requests can be reported.'
  if (!is_active) return `Nothing is told to ${repository}.`
  const ways = [...(sets_status ? ['a commit status'] : []), ...(comments ? ['a comment'] : [])]
  return `Each run of a pull request of ${repository} is reported by ${ways.join(' and ')}.`
}

function GithubDialog({ report, onClose }: { report: GithubReport; onClose: () => void }) {
  const [setsStatus, setSetsStatus] = useState(report.sets_status || !report.is_active)
  const [comments, setComments] = useState(report.comments || !report.is_active)
  const call = useCall(operations.setGithubReport, [operations.getGithubReport])
  return (
    <Dialog title="Report pull requests" isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['token']}
        onSubmit={(values) => {
          const token = textOf(values, 'token')
          call.mutate(
            {
              project_id: report.project_id,
              sets_status: setsStatus,
              comments,
              ...(token === '' ? {} : { token }),
            },
            {
              onSuccess: ({ is_active }) => {
                say(is_active ? 'Pull requests are reported.' : 'Nothing is reported any more.')
                onClose()
              },
            },
          )
        }}
      >
        <Checkbox isSelected={setsStatus} onChange={setSetsStatus}>
          Set a commit status
        </Checkbox>
        <Checkbox isSelected={comments} onChange={setComments}>
          Comment on the pull request, and keep the comment up to date
        </Checkbox>
        <TextField
          label="Token"
          name="token"
          type="password"
          autoComplete="off"
          placeholder={report.is_active ? 'The one that is stored' : 'github_pat_…'}
          hint={`A fine-grained token for ${report.repository} that may write commit statuses and pull requests, and nothing else. It is used at ${report.api_url}, and never shown again.`}
        />
        <FormButtons action="Save" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
