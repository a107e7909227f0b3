import type { HeapGraph } from '../heap/heap-graph.ts'
import type { ProfileDetail } from '../profile-detail.ts'
import type { Profile } from '../profile.ts'
import { filterProfile, type SampleFilter } from '../questions/filter-profile.ts'

/** What a profile is stored as. */
export interface DecodedParts {
  tree: Profile
  detail: ProfileDetail
  heap_graph: HeapGraph
}
export type ProfilePart = keyof DecodedParts

/** A stored profile, as far as a question needs it. Parts that are not stored of its format are absent. */
export class OpenedProfile {
  readonly filter: SampleFilter | undefined
  private readonly parts: Partial<DecodedParts>
  private readonly wantedIndex: number | undefined
  private filtered: Profile | undefined

  constructor(
    parts: Partial<DecodedParts>,
    samples: { sampleTypeIndex?: number | undefined; filter?: SampleFilter | undefined },
  ) {
    this.parts = parts
    this.filter = samples.filter
    this.wantedIndex = samples.sampleTypeIndex
  }

  /** With all of its samples. */
  get whole(): Profile {
    return present(this.parts.tree)
  }

  /** With only the samples that are asked for. @throws CannotFilterError where its format does not tell them */
  get profile(): Profile {
    this.filtered ??=
      this.filter === undefined ? this.whole : filterProfile(this.whole, this.detail, this.filter)
    return this.filtered
  }

  get sampleTypeIndexInWhole(): number {
    return this.wantedIndex ?? this.whole.defaultSampleTypeIndex
  }

  /** In `profile`: by time, one sample type is left. */
  get sampleTypeIndex(): number {
    return Math.min(this.sampleTypeIndexInWhole, this.profile.sampleTypes.length - 1)
  }

  /** Of all samples. */
  get detail(): ProfileDetail | undefined {
    return this.parts.detail
  }

  get heapGraph(): HeapGraph {
    return present(this.parts.heap_graph)
  }
}

function present<T>(part: T | undefined): T {
  if (part === undefined) throw new TypeError('A question asks for a part that it does not name')
  return part
}
