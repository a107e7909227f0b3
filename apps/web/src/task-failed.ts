/** What a page had begun came to nothing, for instance an upload or a task; the message is for people. */
export class TaskFailed extends Error {}
