import { type AnswerOf, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { Facts } from '../components/facts.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'

type Finding = AnswerOf<typeof operations.diagnoseMcpServer>['findings'][number]

const tones: Record<Finding['priority'], Tone> = { high: 'worse', medium: 'caution', low: 'plain' }

/** What rules have to say of a measured session: each finding with what it rests on. */
export function Diagnosis({ mcpTargetId, sessionId }: { mcpTargetId: string; sessionId: string }) {
  const query = useAnswer(operations.diagnoseMcpServer, {
    mcp_target_id: mcpTargetId,
    mcp_session_id: sessionId,
  })
  return (
    <Section title="Diagnosis">
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ score, score_parts: parts, findings, not_asked: notAsked }) => (
          <div className="flex flex-col gap-4">
            <p>
              {score === null ? (
                'Too little was measured for a score.'
              ) : (
                <>
                  Score <strong>{score}</strong> of 100
                  {parts.map(({ name, points }) => `, −${points} for ${name}`).join('')}. It compares a server
                  with itself only.
                </>
              )}
            </p>
            {findings.length === 0 ? <p>Nothing was found.</p> : null}
            {findings.map((finding) => (
              <FindingCard key={`${finding.rule} ${finding.subject}`} finding={finding} />
            ))}
            {notAsked.length === 0 ? null : (
              <details className="text-sm text-muted">
                <summary className="cursor-pointer">{notAsked.length} rules lacked what they need</summary>
                <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
                  {notAsked.map(({ rule, reason }) => (
                    <li key={rule}>
                      {rule}: {reason}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        )}
      </Answer>
    </Section>
  )
}

function FindingCard({ finding }: { finding: Finding }) {
  const { title, rule, priority, confidence, evidence, suggestion } = finding
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 font-semibold break-words">{title}</h3>
        <Badge tone={tones[priority]}>{priority} priority</Badge>
        <span className="text-sm text-muted">
          {rule}, {confidence} confidence
        </span>
      </header>
      <Facts
        entries={Object.fromEntries(
          evidence.map(({ name, value, unit }) => [
            name,
            `${typeof value === 'number' ? Number(value.toPrecision(4)) : value} ${unit}`.trim(),
          ]),
        )}
      />
      <p>{suggestion}</p>
    </article>
  )
}
