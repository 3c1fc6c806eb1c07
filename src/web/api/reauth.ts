import { createPrompt } from '../browser/prompt.ts'

/** A sensitive call waits until the password is confirmed again (R-SES-08). */
export const reauthPrompt = createPrompt<true>()
