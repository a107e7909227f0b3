import { ProblemNote } from '../components/problem-note.tsx'
import { NotProved } from './proof.tsx'

/** Why a change was not made; nothing when there was no error, or the person chose not to. */
export function ChangeError({ error }: { error: Error | null }) {
  return error === null || error instanceof NotProved ? null : <ProblemNote error={error} isBrief />
}
