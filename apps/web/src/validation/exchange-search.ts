/** What the address of a validation says of what is looked at. */
export interface ExchangeSearch {
  /** Id of an action. */
  action?: string
  /** Which of several of that action. */
  sequence?: string
  part?: string
  /** Which of its exchanges. */
  exchange?: string
  /** `true`: bodies as they are. */
  raw?: string
}

export type ChangeExchangeSearch = (change: ExchangeSearch) => void
