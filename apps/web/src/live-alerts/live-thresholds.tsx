import {
  formatAlertValue,
  liveAlertTypes,
  operations,
  thresholdWords,
  type AnswerOf,
  type JudgedThresholdShape,
} from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Facts } from '../components/facts.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { alertTitles } from './alert-titles.ts'
import { ThresholdsDialog } from './thresholds-dialog.tsx'

const tones: Readonly<Record<JudgedThresholdShape['state'], Tone>> = {
  calm: 'better',
  over: 'caution',
  alerting: 'worse',
  unjudged: 'plain',
}

const titles = { live_app: 'Live apps', mcp_target: 'MCP servers' } as const

/** What thresholds are for: all of a project, or one live app or MCP server of it. */
export interface ThresholdPlace {
  target: keyof typeof titles
  project_id: string
  live_app_id?: string
  mcp_target_id?: string
}

/** What raises alerts of live apps or MCP servers in a project, and how they stand to it now. */
export function LiveThresholds({
  projectId,
  target,
}: {
  projectId: string
  target: ThresholdPlace['target']
}) {
  const mayChange = useMayInProject(projectId, 'member')
  const place = { project_id: projectId, target }
  const query = useAnswer(operations.getAlertThresholds, place, {
    pollWhile: (answer) => judgedRows(answer).length > 0,
    pollEveryMs: 5000,
  })
  return (
    <Section title={titles[target]} aside={mayChange ? <SetThresholds place={place} /> : undefined}>
      <Answer query={query} skeleton={<SkeletonTable rows={4} />}>
        {(answer) => (
          <div className="flex flex-col gap-4">
            <Facts
              entries={Object.fromEntries(
                liveAlertTypes.map((type) => [alertTitles[type], thresholdWords(type, answer.thresholds)]),
              )}
            />
            {judgedRows(answer).length === 0 ? null : (
              <JudgedTable title={titles[target]} judged={judgedRows(answer)} />
            )}
          </div>
        )}
      </Answer>
    </Section>
  )
}

/** How something stands to one of its thresholds. */
type JudgedRow = Omit<JudgedThresholdShape, 'live_app_id' | 'app'> & {
  id: string
  name: string
  href: string
}

function judgedRows(answer: AnswerOf<typeof operations.getAlertThresholds>): JudgedRow[] {
  return [
    ...answer.judged.map(({ live_app_id: id, app: name, ...row }) => ({
      ...row,
      id,
      name,
      href: `/live-apps/${id}`,
    })),
    ...answer.mcp_targets.map(({ mcp_target_id: id, mcp_target: name, ...row }) => ({
      ...row,
      id,
      name,
      href: `/mcp-targets/${id}`,
    })),
  ]
}

/** Opens the form. */
export function SetThresholds({ place }: { place: ThresholdPlace }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Set thresholds…</Button>
      {isOpen ? <ThresholdsDialog place={place} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function JudgedTable({ title, judged }: { title: string; judged: readonly JudgedRow[] }) {
  return (
    <DataTable
      label={`${title} and their thresholds`}
      rows={judged}
      rowKey={({ id, type }) => `${id} ${type}`}
      stacks
      whenEmpty=""
      columns={[
        {
          key: 'name',
          title: 'Name',
          grow: true,
          render: ({ name, href, reason }) => (
            <span className="block min-w-0">
              <Link to={href} className="block truncate font-medium hover:underline">
                {name}
              </Link>
              {reason === '' ? null : <span className="text-sm text-muted">{reason}</span>}
            </span>
          ),
        },
        {
          key: 'type',
          title: 'Threshold',
          render: ({ type, is_own: isOwn }) => (
            <span className="block whitespace-nowrap">
              {alertTitles[type]}
              {isOwn ? <span className="block text-sm text-muted">of its own</span> : null}
            </span>
          ),
        },
        {
          key: 'state',
          title: 'Now',
          render: ({ state }) => <Badge tone={tones[state]}>{state}</Badge>,
        },
        {
          key: 'value',
          title: 'Value',
          align: 'right',
          render: ({ value, unit }) =>
            value === null || unit === null ? '–' : formatAlertValue(value, unit),
        },
        {
          key: 'limit',
          title: 'Limit',
          align: 'right',
          render: ({ limit, unit }) =>
            limit === null || unit === null ? '–' : formatAlertValue(limit, unit),
        },
      ]}
    />
  )
}
