import { t } from '@lingui/core/macro'
import { CallFailed } from '../api/call-failed.ts'
import { failureText, failureTextWithCause } from '../api/errors.ts'
import { conflictingValues, isSameValue, pickFields } from './field-changes.ts'
import type { SaveFormOptions } from './save-form.ts'

/** A failed save: the fields that show an error, and the text for everything else. */

export const undecidedText = () => t`Someone changed this in the meantime. Choose which value to keep, then save again.`

/** Values stored by somebody else; may include fields that the form does not have. */
export function conflictsOf<B extends object>(error: unknown, stored: B): Partial<B> {
  const current = conflictingValues(error)
  const names = Object.keys(current).filter((name) => name in stored)
  return pickFields(current, names) as Partial<B>
}

/** Whether a field shows it, as an error or as a conflict. */
export const isAtField = (error: unknown, stored: object): boolean =>
  (rejectedField(error) ?? '') in stored || Object.keys(conflictsOf(error, stored)).length > 0

/** The field named by an error. */
function rejectedField(error: unknown): string | undefined {
  const field = error instanceof CallFailed ? error.details.field : undefined
  return typeof field === 'string' ? field : undefined
}

type FailureTexts = Pick<SaveFormOptions<object, object, unknown>, 'failure' | 'failureWithCause'>

const fallbackOf = ({ failure }: FailureTexts, error: unknown) =>
  typeof failure === 'string' ? failure : failure(error)

/** The error text of the whole form; undefined if a field shows it. */
export function formFailureText(texts: FailureTexts, error: unknown, stored: object): string | undefined {
  if (!error || isAtField(error, stored)) return undefined
  const withCause = (message: string) => texts.failureWithCause?.(message, error) ?? message
  return failureTextWithCause(error, fallbackOf(texts, error), withCause)
}

/** The error of one field, until its value changes. */
export function rejectedText<B extends object>(
  texts: FailureTexts,
  { error, rejected }: { error: unknown; rejected: B | undefined },
  { name, stored, typed }: { name: keyof B & string; stored: B; typed: B },
): string | undefined {
  if (rejectedField(error) !== name || !(name in stored)) return undefined
  return isSameValue(rejected?.[name], typed[name]) ? failureText(error, fallbackOf(texts, error)) : undefined
}
