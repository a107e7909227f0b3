import { Refusal } from '../refusal.ts'

/** The server could not be reached, or did not come to what was to be measured. `message` is for people. */
export class CouldNotMeasure extends Refusal {
  override name = 'CouldNotMeasure'
}
