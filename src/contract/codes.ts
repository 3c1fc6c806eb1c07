import type { Codes } from './calls.ts'

/**
 * Every code that a reply to the dashboard can carry. The dashboard shows their texts in the reader's language, by the
 * catalogs that are made from the contracts.
 */
export type Code = keyof Codes & string
