import { type AnswerOf, operations } from '@flamegate/contract'
import { durationText } from '@flamegate/loadtest/scenario'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'

type Preflight = AnswerOf<typeof operations.preflightScenario>
type Check = Preflight['checks'][number]

const tones: Record<Check['grade'], Tone> = { ok: 'better', warning: 'caution', error: 'worse' }

const titles: Record<Check['check'], string> = {
  design: 'Scenario',
  virtual_users: 'Virtual users',
  limits: 'Plan limits',
  targets: 'Targets',
  generators: 'Load agents',
  estimate: 'To be expected',
}

const verdicts: Record<Preflight['grade'], string> = {
  ok: 'It can run',
  warning: 'It can run, with warnings',
  error: 'It cannot run yet',
}

interface Props {
  scenarioId: string
  projectId: string
  /** What is judged; asked anew for each. */
  version: number
  /** Whether there are changes that are not judged. */
  isDirty: boolean
}

/** Whether a scenario can run as it is saved, and what is missing. */
export function PreflightPanel({ scenarioId, projectId, version, isDirty }: Props) {
  const query = useAnswer(operations.preflightScenario, { scenario_id: scenarioId }, { keepPrevious: true })
  return (
    <Section
      title="Pre-flight"
      aside={<span className="text-sm text-muted">{isDirty ? `as saved, version ${version}` : null}</span>}
    >
      <Answer query={query} skeleton={<SkeletonBlock height="18rem" />}>
        {(preflight) => (
          <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
            <output className="flex flex-wrap items-center gap-2 font-medium">
              <Badge tone={tones[preflight.grade]}>{preflight.grade}</Badge>
              {verdicts[preflight.grade]}
            </output>
            <ul className="flex flex-col gap-3">
              {preflight.checks.map((check) => (
                <li key={`${check.code} ${check.message}`} className="flex min-w-0 flex-col gap-0.5">
                  <span className="flex flex-wrap items-center gap-2 text-sm">
                    <span className="font-medium">{titles[check.check]}</span>
                    {check.grade === 'ok' ? null : <Badge tone={tones[check.grade]}>{check.grade}</Badge>}
                  </span>
                  <span className="min-w-0 break-words">{check.message}</span>
                  {check.advice === null ? null : (
                    <span className="text-sm text-muted">
                      <AdviceOf check={check} projectId={projectId} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
            <Caps caps={preflight.caps} />
          </div>
        )}
      </Answer>
    </Section>
  )
}

/** What agents do with a tool, people do on a page. */
function AdviceOf({ check, projectId }: { check: Check; projectId: string }) {
  const params = { projectId }
  if (check.check === 'targets')
    return (
      <Link to="/projects/$projectId/targets" params={params} className="text-link">
        Verify the host
      </Link>
    )
  if (check.code === 'not_validated')
    return (
      <Link to="/projects/$projectId/virtual-users" params={params} className="text-link">
        Validate it before you put load on it
      </Link>
    )
  return check.advice
}

const capNames = {
  users: 'Users at once',
  rate_per_second: 'Arrivals per second',
  duration_ms: 'Duration',
  browser_users: 'Users with a browser',
} as const satisfies Record<keyof Preflight['caps'], string>

function Caps({ caps }: { caps: Preflight['caps'] }) {
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">Limits of the plan</caption>
      <thead>
        <tr className="border-b border-line text-left text-muted">
          <th scope="col" className="py-1 font-normal">
            Limit
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            Asked
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            Most
          </th>
        </tr>
      </thead>
      <tbody>
        {(['users', 'rate_per_second', 'duration_ms', 'browser_users'] as const).map((name) => (
          <tr key={name}>
            <th scope="row" className="py-1 text-left font-normal">
              {capNames[name]}
            </th>
            <td className="py-1 text-right">{capWords(name, caps[name].asked)}</td>
            <td className="py-1 text-right">
              {caps[name].most === null ? 'no limit' : capWords(name, caps[name].most)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function capWords(name: keyof typeof capNames, value: number): string {
  return name === 'duration_ms' ? durationText(value) : value.toLocaleString('en')
}
