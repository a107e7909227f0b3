import { operations, type AnswerOf } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { StartValidation } from '../validation/start-validation.tsx'
import { VirtualUserFrame } from '../validation/virtual-user-frame.tsx'

const route = getRouteApi('/app/virtual-users/$virtualUserId/sanity')

type Finding = AnswerOf<typeof operations.sanityCheckVirtualUser>['findings'][number]

const grades: readonly { grade: Finding['grade']; title: string; tone: Tone }[] = [
  { grade: 'ERROR', title: 'Cannot work', tone: 'worse' },
  { grade: 'WARNING', title: 'Probably not meant', tone: 'caution' },
  { grade: 'INFO', title: 'Worth knowing', tone: 'accent' },
]

/** Faults in the design of a virtual user, found without sending anything. */
export function VirtualUserSanityPage() {
  const { virtualUserId } = route.useParams()
  const query = useAnswer(operations.sanityCheckVirtualUser, { virtual_user_id: virtualUserId })
  return (
    <VirtualUserFrame
      virtualUserId={virtualUserId}
      current="/sanity"
      title="Design check"
      lead={
        query.data === undefined
          ? 'What is wrong, found without sending anything'
          : `What is wrong with version ${query.data.version}, found without sending anything`
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {({ findings }) =>
          findings.length === 0 ? (
            <EmptyState title="Nothing is wrong with its design">
              <p>Whether it works, a validation tells: it sends every request once.</p>
              <StartValidation virtualUserId={virtualUserId} label="Validate" />
            </EmptyState>
          ) : (
            <div className="flex flex-col gap-6">
              {grades.map(({ grade, title, tone }) => (
                <Findings
                  key={grade}
                  virtualUserId={virtualUserId}
                  title={title}
                  tone={tone}
                  findings={findings.filter((finding) => finding.grade === grade)}
                />
              ))}
            </div>
          )
        }
      </Answer>
    </VirtualUserFrame>
  )
}

interface FindingsProps {
  virtualUserId: string
  title: string
  tone: Tone
  findings: readonly Finding[]
}

/** Actions of one finding that are named. */
const namedActions = 10

/** What is the same of several actions is told once. */
function Findings({ virtualUserId, title, tone, findings }: FindingsProps) {
  const groups = [
    ...Map.groupBy(findings, ({ code, message, advice }) => `${code} ${message} ${advice}`).entries(),
  ]
  if (groups.length === 0) return null
  return (
    <Section title={title} aside={<Badge tone={tone}>{findings.length}</Badge>}>
      <ul className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface">
        {groups.map(([key, group]) => (
          <li key={key} className="flex flex-col gap-0.5 border-b border-line px-4 py-3 last:border-b-0">
            <p className="font-medium break-words">{group[0]?.message}</p>
            <p className="text-muted">{group[0]?.advice}</p>
            <ActionLinks virtualUserId={virtualUserId} findings={group} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function ActionLinks({ virtualUserId, findings }: Pick<FindingsProps, 'virtualUserId' | 'findings'>) {
  const ids = new Map(
    findings.flatMap(({ action_id: id, action_name: name }) => (id === null ? [] : [[id, name || id]])),
  )
  if (ids.size === 0) return null
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {[...ids].slice(0, namedActions).map(([id, name]) => (
        <Link
          key={id}
          to="/virtual-users/$virtualUserId"
          params={{ virtualUserId }}
          search={{ action: id }}
          className="text-link break-all"
        >
          {name}
        </Link>
      ))}
      {ids.size > namedActions ? (
        <span className="text-muted">and {ids.size - namedActions} more</span>
      ) : null}
    </p>
  )
}
