import { operations } from '@flamegate/contract'
import { compareScenarios, parseDocument } from '@flamegate/loadtest'
import { changeDocument } from '../design/change-document.ts'
import { parseDesign } from '../design/parse-design.ts'
import { patchDocument } from '../design/patch-document.ts'
import { documentAt } from '../design/versions.ts'
import { implement } from '../implement.ts'
import { changeOnWire, scenarioOnWire } from './on-wire.ts'
import { getScenario } from './reaching.ts'
import { summaryOf } from './summary.ts'

export const patchScenario = implement(operations.patchScenario)(async (input, context) => {
  const { restore_version: restored } = input
  const before = await getScenario(context, input.scenario_id)
  const from =
    restored === undefined ? before.document : await documentAt(context, 'scenario', before, restored)
  const document = parseDesign(context, 'scenario', patchDocument(from, input.patch))
  const changes = compareScenarios(parseDocument('scenario', before.document), document).map(changeOnWire)
  const update = { name: document.name, document, summary: summaryOf(document) }
  const { after, told } = await changeDocument(context, before, update, changes, input)
  return { scenario: scenarioOnWire(after), ...told }
})
