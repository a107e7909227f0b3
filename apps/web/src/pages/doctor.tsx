import { operations, type AnswerOf } from '@flamegate/contract'
import type { ReactNode } from 'react'
import { useCall } from '../api.ts'
import { Badge, type Tone } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Form, textOf } from '../components/form.tsx'
import { CheckIcon, CloseIcon, MinusIcon, WarningIcon } from '../components/icons.tsx'
import { Section } from '../components/section.tsx'
import { TextField } from '../components/text-field.tsx'
import { Page } from '../shell/page.tsx'

type Diagnosis = AnswerOf<typeof operations.diagnoseMcpConnection>
type Finding = Diagnosis['findings'][number]

const verdicts: Record<Diagnosis['verdict'], { tone: Tone; text: string }> = {
  healthy: { tone: 'better', text: 'Every client should connect.' },
  stumbles: { tone: 'caution', text: 'Clients connect, but some will stumble.' },
  broken: { tone: 'worse', text: 'Some clients cannot connect.' },
}

const looks: Record<Finding['status'], { word: string; color: string; icon: ReactNode }> = {
  ok: { word: 'Right', color: 'text-better', icon: <CheckIcon /> },
  warning: { word: 'Warning', color: 'text-caution', icon: <WarningIcon /> },
  failed: { word: 'Wrong', color: 'text-worse', icon: <CloseIcon /> },
  skipped: { word: 'Not tried', color: 'text-muted', icon: <MinusIcon /> },
}

/** Examines how clients connect to an MCP server: this one, or any other. */
export function DoctorPage() {
  const call = useCall(operations.diagnoseMcpConnection, [])
  return (
    <Page
      title="Connection doctor"
      lead="Does what MCP clients do when they connect, and says in plain words what is wrong and which client trips over it."
    >
      <div className="max-w-2xl">
        <Form
          error={call.error}
          fields={['mcp_url', 'token']}
          onSubmit={(values) =>
            call.mutate({ mcp_url: textOf(values, 'mcp_url'), token: textOf(values, 'token') || undefined })
          }
        >
          <TextField
            label="MCP URL"
            name="mcp_url"
            defaultValue={`${window.location.origin}/mcp`}
            hint="Reachable from the internet. For a server on your own computer, run flamegate doctor <url> there."
            isRequired
          />
          <TextField
            label="Token (optional)"
            name="token"
            type="password"
            autoComplete="off"
            hint="With a bearer token for that server its tools are listed, and one that only reads is called. It is not kept."
          />
          <Button type="submit" variant="primary" isDisabled={call.isPending} className="self-start">
            {call.isPending ? 'Examining …' : 'Examine'}
          </Button>
        </Form>
      </div>
      <div aria-live="polite">{call.data === undefined ? null : <Report diagnosis={call.data} />}</div>
    </Page>
  )
}

function Report({ diagnosis }: { diagnosis: Diagnosis }) {
  const { tone, text } = verdicts[diagnosis.verdict]
  return (
    <Section title="What was found">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{text}</Badge>
        <code className="break-all text-muted">{diagnosis.mcp_url}</code>
      </p>
      <ul className="flex max-w-4xl flex-col gap-2">
        {worstFirst(diagnosis.findings).map((finding) => (
          <FindingItem key={`${finding.check} ${finding.title} ${finding.detail}`} finding={finding} />
        ))}
      </ul>
    </Section>
  )
}

/** Faults first; among equals, the order in which a client meets them. */
function worstFirst(findings: readonly Finding[]): Finding[] {
  const ranks: Record<Finding['status'], number> = { failed: 0, warning: 1, ok: 2, skipped: 3 }
  return findings.toSorted((a, b) => ranks[a.status] - ranks[b.status])
}

function FindingItem({ finding: { status, title, detail, advice, clients } }: { finding: Finding }) {
  const { word, color, icon } = looks[status]
  return (
    <li className="flex gap-3 rounded-lg border border-line bg-surface px-4 py-3">
      <span className={`mt-1 ${color}`}>
        {icon}
        <span className="sr-only">{word}: </span>
      </span>
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-medium">{title}</p>
        <p className="break-words text-muted">{detail}</p>
        {advice === '' ? null : <p className="break-words">{advice}</p>}
        {clients.length === 0 ? null : (
          <p className="flex flex-wrap gap-1">
            {clients.map((client) => (
              <Badge key={client}>{client}</Badge>
            ))}
          </p>
        )}
      </div>
    </li>
  )
}
