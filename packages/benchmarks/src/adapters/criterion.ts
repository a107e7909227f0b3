import { adapter } from '../adapter.ts'
import { isCriterionConsole, readCriterionConsole } from '../criterion/console.ts'
import { isCriterionFolder, readCriterionFolder } from '../criterion/folder.ts'
import {
  isCriterionMessage,
  isCriterionMessages,
  readCriterionMessage,
  readCriterionMessages,
} from '../criterion/messages.ts'
import { folderReader, jsonReader, textReader } from '../reader.ts'

export const criterion = adapter({
  name: 'criterion',
  title: 'Criterion.rs',
  readers: [
    textReader(isCriterionMessages, readCriterionMessages),
    textReader(isCriterionConsole, readCriterionConsole),
    jsonReader(isCriterionMessage, readCriterionMessage),
    folderReader(isCriterionFolder, readCriterionFolder),
  ],
})
