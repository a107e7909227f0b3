import { readInputs } from '../fuzzing/read-inputs.ts'
import { profileImporters } from './subject.ts'

await readInputs(profileImporters)
