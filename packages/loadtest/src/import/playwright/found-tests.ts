import type { FunctionParts, Statement } from './syntax.ts'
import type { Scope } from './values.ts'

/** A function with the names it knows, where it stands in the source. */
export interface Callable {
  function: FunctionParts
  scope: Scope
}

/** What `describe` or a class puts around tests. */
export interface TestGroup {
  title: string
  around: TestGroup | null
  before: Callable[]
  after: Callable[]
}

export interface FoundTest extends Callable {
  title: string
  group: TestGroup
  statement: Statement
}

export function newGroup(title: string, around: TestGroup | null): TestGroup {
  return { title, around, before: [], after: [] }
}

/** A group and those around it, from the outermost. */
export function groupsOf(group: TestGroup): TestGroup[] {
  const groups: TestGroup[] = []
  for (let next: TestGroup | null = group; next !== null; next = next.around) groups.unshift(next)
  return groups
}

/** `Shop › login › with a wrong password` */
export function titleOf({ title, group }: FoundTest): string {
  return [...groupsOf(group).map((around) => around.title), title].filter((part) => part !== '').join(' › ')
}
