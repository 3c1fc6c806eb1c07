import { createPrompt } from '../browser/prompt.ts'

/** A delicate call waits for the password to be proved again (R-SES-08). */
export const reauthPrompt = createPrompt<true>()
