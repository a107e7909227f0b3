import { textOf } from '../components/form.tsx'
import { startOfDay } from '../local-day.ts'
import { tagsIn } from './tags-in.ts'

/** Stands for no scenario in particular. */
export const anything = 'anything'

/** Which runs the form of a trend chooses, as the report has it; what was left empty chooses nothing. */
export function trendOf(values: FormData): Record<string, unknown> {
  const given = (name: string) => textOf(values, name).trim()
  const scenarioId = given('scenario_id')
  const tags = tagsIn(given('tags'))
  const [after, before] = [startOfDay(given('after')), startOfDay(given('before'))]
  return {
    ...(scenarioId === anything || scenarioId === '' ? {} : { scenario_id: scenarioId }),
    ...(given('text') === '' ? {} : { name: { match: given('match'), text: given('text') } }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(after === undefined ? {} : { created_after: after }),
    ...(before === undefined ? {} : { created_before: before }),
  }
}
