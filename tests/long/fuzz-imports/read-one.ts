import { readOne } from '../fuzzing/read-one.ts'
import { sourceImporters } from './subject.ts'

await readOne(sourceImporters)
