import { operations, type RawInputOf } from '@flamegate/contract'

type Selection = Omit<RawInputOf<typeof operations.generateFlamegraph>, 'max_nodes'>
type Sides = Omit<RawInputOf<typeof operations.compareProfiles>, 'format' | 'top_n' | 'sort_by'>

/** What the view is of: a profile, or part of it; or what changed between profiles. */
export type Subject = { selection: Selection } | { sides: Sides }

const ofComparison = operations.compareProfiles.input.omit({ format: true, top_n: true, sort_by: true })
const ofPart = operations.queryFlamegraph.input.pick({
  sample_type: true,
  labels: true,
  from_ms: true,
  to_ms: true,
  root_function_name: true,
})

/** What a tool was asked about. `profileId` is the one that it answered of, which the question may only describe. */
export function subjectOf(
  input: Readonly<Record<string, unknown>>,
  profileId: string | undefined,
): Subject | undefined {
  const sides = ofComparison.strip().safeParse(input)
  if (sides.success) return { sides: sides.data }
  const part = ofPart.strip().safeParse(input)
  if (profileId === undefined || !part.success) return undefined
  return { selection: { ...part.data, profile_id: profileId, inverted: input['inverted'] === true } }
}
