import { readInputs } from '../fuzzing/read-inputs.ts'
import { sourceImporters } from './subject.ts'

await readInputs(sourceImporters)
