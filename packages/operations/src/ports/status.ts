/** The parts of an installation, as the status page has them. */
export const statusComponents = ['gateway', 'api', 'database', 'jobs', 'files'] as const

export type StatusComponent = (typeof statusComponents)[number]

/** Something that did not work, or does not yet. */
export interface Incident {
  id: string
  component: StatusComponent
  title: string
  /** What whoever runs the installation has to say about it. */
  message: string | null
  /** Found by us, and ended by us. */
  isObserved: boolean
  beganAt: Date
  endedAt: Date | null
}

/** What the status page tells of the installation. Nothing in it belongs to a workspace. */
export interface StatusStore {
  /** A part was seen at work now. */
  markWorked(component: StatusComponent): Promise<void>
  /** How many milliseconds ago parts were seen at work, by the clock of the database. */
  agesMs(): Promise<Partial<Record<StatusComponent, number>>>
  /** Those of the last 90 days, the newest first. */
  listIncidents(options: { limit: number }): Promise<Incident[]>
  /**
   * Notes that a part does not work. Several processes may see the same: it is one incident as long as it lasts, and goes on
   * where the last one of the part ended only minutes ago.
   */
  beginObserved(incident: { component: StatusComponent; title: string; beganAt: Date }): Promise<void>
  /** Ends what was noted of a part. */
  endObserved(component: StatusComponent): Promise<void>
  /** What a person has to say: a new incident, which ends when they say so. Gives its id. */
  open(incident: { component: StatusComponent; title: string; message: string | null }): Promise<string>
  /** Changes what is said about an incident, and ends it where that is asked. False where there is none with that id. */
  update(id: string, change: { message?: string; isEnded?: boolean }): Promise<boolean>
}
