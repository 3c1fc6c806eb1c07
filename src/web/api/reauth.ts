import { createPrompt } from '../browser/prompt.ts'

/** A sensitive call waits until the password is confirmed again. */
export const reauthPrompt = createPrompt<true>()
