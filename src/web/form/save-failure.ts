import { t } from '@lingui/core/macro'
import { CallFailed } from '../api/call-failed.ts'
import { failureText, failureTextWithCause } from '../api/errors.ts'
import { conflictingValues, isSameValue, pickFields } from './field-changes.ts'
import type { SaveFormOptions } from './save-form.ts'

/** Why a save failed: at which fields it shows, and the text for all else. */

export const undecidedText = () => t`Somebody changed this meanwhile. Choose which value stays, then save again.`

/** What somebody else stored in fields of this form; the server may name fields that it doesn't have. */
export function conflictsOf<B extends object>(error: unknown, stored: B): Partial<B> {
  const current = conflictingValues(error)
  const names = Object.keys(current).filter((name) => name in stored)
  return pickFields(current, names) as Partial<B>
}

/** A field shows it: its refusal, or the choice between theirs and yours. */
export const isAtField = (error: unknown, stored: object): boolean =>
  (rejectedField(error) ?? '') in stored || Object.keys(conflictsOf(error, stored)).length > 0

/** The field that a refusal names. */
function rejectedField(error: unknown): string | undefined {
  const field = error instanceof CallFailed ? error.details.field : undefined
  return typeof field === 'string' ? field : undefined
}

type FailureTexts = Pick<SaveFormOptions<object, object, unknown>, 'failure' | 'failureWithCause'>

const fallbackOf = ({ failure }: FailureTexts, error: unknown) =>
  typeof failure === 'string' ? failure : failure(error)

/** What is said of the whole form; undefined where a field says it. */
export function formFailureText(texts: FailureTexts, error: unknown, stored: object): string | undefined {
  if (!error || isAtField(error, stored)) return undefined
  const withCause = (message: string) => texts.failureWithCause?.(message, error) ?? message
  return failureTextWithCause(error, fallbackOf(texts, error), withCause)
}

/** The refusal of one field, until it has another value than the refused one. */
export function rejectedText<B extends object>(
  texts: FailureTexts,
  { error, rejected }: { error: unknown; rejected: B | undefined },
  { name, stored, typed }: { name: keyof B & string; stored: B; typed: B },
): string | undefined {
  if (rejectedField(error) !== name || !(name in stored)) return undefined
  return isSameValue(rejected?.[name], typed[name]) ? failureText(error, fallbackOf(texts, error)) : undefined
}
