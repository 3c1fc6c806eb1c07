import { hasInvisible } from './visible-text.ts'

// One or more labels before the last dot. Linear, because each character class excludes its separator.
const shape = /^[^\s@<>"',;:()\\]+@[^\s@.<>"',;:()\\]+(?:\.[^\s@.<>"',;:()\\]+)+$/

/** Whether the text is a single valid email address, without characters that could end a mail header or command. */
export const isEmailAddress = (text: string): boolean => shape.test(text) && !hasInvisible(text)
