export {
  Analyst,
  type PartOfProfile,
  type Question,
  type QuestionSubject,
  type StoredPart,
} from './analyst.ts'
export {
  profileQuestions,
  questionParts,
  type QuestionAnswer,
  type QuestionName,
  type QuestionParams,
} from './profile-questions.ts'
export { errorFromData, errorToData, type ErrorData } from './question-errors.ts'
