import { textOf } from '../components/form.tsx'
import { tagsIn } from './tags-in.ts'

/** Stands for no scenario in particular. */
export const anything = 'anything'

/** Which runs the form of a trend chooses, as the report has it; what was left empty chooses nothing. */
export function trendOf(values: FormData): Record<string, unknown> {
  const given = (name: string) => textOf(values, name).trim()
  const scenarioId = given('scenario_id')
  const tags = tagsIn(given('tags'))
  return {
    ...(scenarioId === anything || scenarioId === '' ? {} : { scenario_id: scenarioId }),
    ...(given('text') === '' ? {} : { name: { match: given('match'), text: given('text') } }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(given('after') === '' ? {} : { created_after: `${given('after')}T00:00:00Z` }),
    ...(given('before') === '' ? {} : { created_before: `${given('before')}T00:00:00Z` }),
  }
}
