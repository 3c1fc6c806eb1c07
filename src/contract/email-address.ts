import { hasInvisible } from './visible-text.ts'

// One label or more before the last dot; linear, because every class excludes its separator.
const shape = /^[^\s@<>"',;:()\\]+@[^\s@.<>"',;:()\\]+(?:\.[^\s@.<>"',;:()\\]+)+$/

/** Whether mail can be sent there: one address, with nothing in it that a header or a command could end at. */
export const isEmailAddress = (text: string): boolean => shape.test(text) && !hasInvisible(text)
