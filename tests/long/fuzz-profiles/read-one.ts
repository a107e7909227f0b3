import { readOne } from '../fuzzing/read-one.ts'
import { profileImporters } from './subject.ts'

await readOne(profileImporters)
