import { t } from '@lingui/core/macro'
import { type BulkAction, type BulkCounts, type BulkTarget, maxUncountedRows, targetCount } from './bulk-action.ts'

/** Conditions before a bulk action can be confirmed. */

/** The rows must have been counted. */
export function blockedReason(counts: BulkCounts | undefined, count: number | undefined): string | undefined {
  if (!counts)
    return count === undefined || count > maxUncountedRows ? t`The affected items have not been counted yet` : undefined
  return counts.changed === 0 ? t`Nothing would change.` : undefined
}

/** Text to be typed: the app name for permanent deletions of a whole filter, a word for other bulk actions. */
export function typedConfirmation(
  { danger }: Pick<BulkAction<object, unknown>, 'danger'>,
  target: BulkTarget<unknown>,
) {
  const isMany = (targetCount(target) ?? 0) > maxUncountedRows
  if (!danger || !(isMany || ('appName' in danger && 'filter' in target))) return {}
  if ('appName' in danger) {
    return { typedName: danger.appName, typedLabel: t`App name`, typedMismatch: t`App name does not match` }
  }
  const { word } = danger
  return {
    typedName: word,
    isWord: true,
    typedLabel: t`Type “${word}” to confirm`,
    typedMismatch: t`The confirmation text doesn't match`,
  }
}
