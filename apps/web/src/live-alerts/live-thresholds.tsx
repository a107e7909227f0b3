import {
  formatAlertValue,
  liveAlertTypes,
  operations,
  thresholdWords,
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

/** What raises alerts of live apps in a project, and how those that push stand to it now. */
export function LiveThresholds({ projectId }: { projectId: string }) {
  const mayChange = useMayInProject(projectId, 'member')
  const query = useAnswer(
    operations.getAlertThresholds,
    { project_id: projectId },
    { pollWhile: ({ judged }) => judged.length > 0, pollEveryMs: 5000 },
  )
  return (
    <Section title="Live apps" aside={mayChange ? <SetThresholds projectId={projectId} /> : undefined}>
      <Answer query={query} skeleton={<SkeletonTable rows={4} />}>
        {({ thresholds, judged }) => (
          <>
            <Facts
              entries={Object.fromEntries(
                liveAlertTypes.map((type) => [alertTitles[type], thresholdWords(type, thresholds)]),
              )}
            />
            {judged.length === 0 ? null : <JudgedTable judged={judged} />}
          </>
        )}
      </Answer>
    </Section>
  )
}

/** Opens the form, of a project or of one of its live apps. */
export function SetThresholds({ projectId, liveAppId }: { projectId: string; liveAppId?: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Set thresholds…</Button>
      {isOpen ? (
        <ThresholdsDialog projectId={projectId} liveAppId={liveAppId} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

function JudgedTable({ judged }: { judged: readonly JudgedThresholdShape[] }) {
  return (
    <DataTable
      label="Live apps and their thresholds"
      rows={judged}
      rowKey={({ live_app_id, type }) => `${live_app_id} ${type}`}
      stacks
      whenEmpty=""
      columns={[
        {
          key: 'app',
          title: 'Live app',
          grow: true,
          render: ({ live_app_id: liveAppId, app, reason }) => (
            <span className="block min-w-0">
              <Link
                to="/live-apps/$liveAppId"
                params={{ liveAppId }}
                className="block truncate font-medium hover:underline"
              >
                {app}
              </Link>
              {reason === '' ? null : <span className="text-sm text-muted">{reason}</span>}
            </span>
          ),
        },
        { key: 'type', title: 'Threshold', render: ({ type }) => alertTitles[type] },
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
      ]}
    />
  )
}
