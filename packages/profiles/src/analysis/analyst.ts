import { decodeDetail } from '../detail-encoding.ts'
import { decodeProfile } from '../encoding.ts'
import { decodeHeapGraph } from '../heap/heap-graph-encoding.ts'
import { withOriginRules, type OriginRule, type Profile } from '../profile.ts'
import type { SampleFilter } from '../questions/filter-profile.ts'
import { bytesOf } from './bytes-of.ts'
import { OpenedProfile, type DecodedParts, type ProfilePart } from './opened-profile.ts'
import {
  profileQuestions,
  questionParts,
  type QuestionAnswer,
  type QuestionName,
  type QuestionParams,
} from './profile-questions.ts'

/** A stored profile, and which of its samples a question is about. */
export interface QuestionSubject {
  id: string
  /** The default one when absent. */
  sampleTypeIndex?: number | undefined
  /** Only these samples; all when absent. */
  filter?: SampleFilter | undefined
  /** Of the project that it is in. */
  originRules?: readonly OriginRule[] | undefined
}

/** A question to stored profiles, as plain data. */
export interface Question<Name extends QuestionName = QuestionName> {
  name: Name
  subjects: readonly QuestionSubject[]
  params: QuestionParams<Name>
}

export interface PartOfProfile {
  id: string
  part: ProfilePart
}

/** A part as it is stored; without bytes, the format of the profile has none. */
export interface StoredPart extends PartOfProfile {
  bytes: Uint8Array | undefined
}

/** What was decoded of a part; nothing where there is none. */
interface Kept {
  value?: DecodedParts[ProfilePart]
  sizeBytes: number
}

/** That a profile has no such part is kept as well. */
const nothing: Kept = { sizeBytes: 200 }
/** Totals beside self values, ends of subtrees and depths beside parents: questions keep what follows from the tree. */
const withWhatFollows = 2

/**
 * Answers questions to stored profiles, and keeps what it decoded, the last used, up to so many bytes. It never reads by
 * itself: it says what it does not have, and is given that with the question.
 */
export class Analyst {
  private readonly kept = new Map<string, Kept>()
  private readonly ruled = new WeakMap<Profile, { key: string; profile: Profile }>()
  private readonly bytesMax: number
  private bytes = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** What has to be given with the question. */
  missing(question: Question): PartOfProfile[] {
    return partsOf(question).filter((each) => !this.kept.has(keyOf(each)))
  }

  /** @throws one of `questionErrors`, and FormatError when what is stored is damaged */
  answer<Name extends QuestionName>(
    question: Question<Name>,
    given: readonly StoredPart[],
  ): QuestionAnswer<Name> {
    // All of them are held until the question is answered, also those that there is no room to keep.
    const held = new Map<string, Kept>()
    for (const each of given) held.set(keyOf(each), decoded(each))
    for (const each of partsOf(question)) {
      const key = keyOf(each)
      const part = held.get(key) ?? this.kept.get(key)
      if (part === undefined) throw new TypeError(`${each.part} of ${each.id} was not given`)
      held.set(key, part)
    }
    for (const [key, part] of held) this.keep(key, part)
    const opened = question.subjects.map((subject) => {
      const valueOf = (part: ProfilePart) => held.get(keyOf({ id: subject.id, part }))?.value
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded as what it is kept as
      const parts = {
        tree: valueOf('tree'),
        detail: valueOf('detail'),
        heap_graph: valueOf('heap_graph'),
      } as Partial<DecodedParts>
      if (parts.tree !== undefined) parts.tree = this.withRules(parts.tree, subject.originRules)
      return new OpenedProfile(parts, subject)
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the name and the parameters are of one question
    const answer = profileQuestions[question.name].answer as (
      profiles: readonly OpenedProfile[],
      params: unknown,
    ) => unknown
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- and so is the answer
    return answer(opened, question.params) as QuestionAnswer<Name>
  }

  /** The last one that was used comes last. */
  private keep(key: string, part: Kept): void {
    this.bytes += part.sizeBytes - (this.kept.get(key)?.sizeBytes ?? 0)
    this.kept.delete(key)
    this.kept.set(key, part)
    for (const [oldest, { sizeBytes }] of this.kept) {
      if (this.bytes <= this.bytesMax || this.kept.size === 1) return
      this.kept.delete(oldest)
      this.bytes -= sizeBytes
    }
  }

  /** The same profile for the same rules, as what is worked out of its functions is kept with it. */
  private withRules(tree: Profile, rules: readonly OriginRule[] | undefined): Profile {
    const key = JSON.stringify(rules ?? [])
    const known = this.ruled.get(tree)
    if (known?.key === key) return known.profile
    const profile = withOriginRules(tree, rules)
    this.ruled.set(tree, { key, profile })
    return profile
  }
}

/** What a question needs, each once. */
function partsOf({ name, subjects }: Question): PartOfProfile[] {
  const parts = questionParts(name)
  const needed = subjects.flatMap(({ id, filter }) =>
    (filter === undefined ? parts : new Set<ProfilePart>([...parts, 'detail']))
      .values()
      .map((part) => ({ id, part }))
      .toArray(),
  )
  return [...new Map(needed.map((each) => [keyOf(each), each])).values()]
}

function keyOf({ id, part }: PartOfProfile): string {
  return `${id} ${part}`
}

const decoders = { tree: decodeProfile, detail: decodeDetail, heap_graph: decodeHeapGraph } as const

function decoded({ part, bytes }: StoredPart): Kept {
  if (bytes === undefined) return nothing
  const value = decoders[part](bytes)
  return { value, sizeBytes: bytesOf(value) * (part === 'tree' ? withWhatFollows : 1) }
}
