import { Badge } from './badge.tsx'

const looks = {
  PENDING: { tone: 'accent', words: 'being read' },
  COMPLETED: { tone: 'plain', words: 'completed' },
  READY: { tone: 'plain', words: 'ready' },
  FAILURE: { tone: 'worse', words: 'failed' },
  FAILED: { tone: 'worse', words: 'failed' },
} as const

/** How far an uploaded run or profile is. */
export function RunStatus({ status }: { status: keyof typeof looks }) {
  const { tone, words } = looks[status]
  return <Badge tone={tone}>{words}</Badge>
}
