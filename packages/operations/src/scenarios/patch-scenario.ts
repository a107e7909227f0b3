import { operations } from '@flamegate/contract'
import { compareScenarios, parseDocument } from '@flamegate/loadtest'
import { parseDesign } from '../design/parse-design.ts'
import { patchDocument, patchWords } from '../design/patch-document.ts'
import { writeDesign } from '../design/write-design.ts'
import { implement } from '../implement.ts'
import { changeOnWire, scenarioOnWire } from './on-wire.ts'
import { getScenario, scenarioVersion } from './reaching.ts'
import { summaryOf } from './summary.ts'

const changesTold = 50

export const patchScenario = implement(operations.patchScenario)(async (input, context) => {
  const { restore_version: restored, dry_run: isDryRun } = input
  const before = await getScenario(context, input.scenario_id)
  const from = restored === undefined ? before.document : await scenarioVersion(context, before, restored)
  const document = parseDesign(context, 'scenario', patchDocument(from, input.patch))
  const changes = compareScenarios(parseDocument('scenario', before.document), document)
  const update = { name: document.name, document, summary: summaryOf(document) }
  const after = isDryRun
    ? { ...before, ...update }
    : await writeDesign(context, before, update, {
        ifVersion: input.if_version,
        words: patchWords(input.patch, restored),
        label: input.label,
      })
  return {
    scenario: scenarioOnWire(after),
    changes: changes.slice(0, changesTold).map(changeOnWire),
    change_count: changes.length,
    dry_run: isDryRun,
  }
})
