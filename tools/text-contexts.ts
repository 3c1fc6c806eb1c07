/**
 * Lingui merges equal English texts. If another language needs several translations, the text needs a context; see
 * `shared`.
 */

/**
 * Words whose translation depends on what they describe, because Portuguese adjectives have a gender, or on whether
 * they are a verb, a noun or an adjective.
 */
const ambiguous = new Set(
  [
    ['Active', 'Inactive', 'Paused', 'Banned', 'Expired', 'Enabled', 'Disabled', 'Public', 'Private', 'Required'],
    [
      'Authenticated',
      'Redeemed',
      'Rejected',
      'Created',
      'Deleted',
      'Used',
      'Unused',
      'Selected',
      'Unknown',
      'Unlimited',
    ],
    ['Lifetime', 'Current', 'New', 'None', 'All', 'On', 'Off', 'Low', 'Medium', 'High', 'Critical', 'Light', 'Dark'],
    ['Free', 'Full', 'Empty', 'Left', 'Right', 'Last', 'Next', 'Delete all', 'Not set', 'Signed in', 'Signed out'],
    [
      'Access',
      'Event',
      'Admin',
      'Amount',
      'Ban',
      'Call',
      'Change',
      'Close',
      'Code',
      'Copy',
      'Dismiss',
      'Display',
      'Done',
    ],
    [
      'Download',
      'Downloads',
      'End',
      'Expires',
      'Export',
      'Extend',
      'Filter',
      'Import',
      'Level',
      'Limit',
      'Log',
      'Logs',
    ],
    ['Name', 'Open', 'Order', 'Pause', 'Plan', 'Record', 'Refresh', 'Registration', 'Release', 'Reload', 'Request'],
    ['Reset', 'Review', 'Run', 'Search', 'Set', 'Sort', 'Start', 'Stop', 'Target', 'Test', 'Time', 'Type', 'Update'],
    ['Upload', 'Use', 'View'],
  ]
    .flat()
    .map((word) => word.toLowerCase()),
)

/** Words used in several places without a context, with the one meaning they have in all of them. */
export const shared: Readonly<Record<string, string>> = {
  Access: 'noun: who may read something',
  Event: 'noun: what somebody did, in the audit',
  Active: 'an owner, a reseller or a user',
  Amount: 'how many licenses or credits',
  Authenticated: 'a webhook',
  Ban: 'button',
  ban: 'the word that is typed to confirm it',
  Banned: 'an owner, a reseller or a user',
  Call: 'noun: of the protocol',
  Close: 'button',
  Code: 'noun: of a rejection',
  Copy: 'button',
  Created: 'an app, a file or a person',
  Current: 'an app',
  Dark: 'the theme',
  'Delete All': 'button, about logs or webhooks',
  'Delete all': 'button',
  Deleted: 'licenses, users, and variables: the screen',
  Disabled: 'an app',
  Dismiss: 'button of a message on the screen',
  Done: 'button that closes a dialog',
  Downloads: 'noun: files, and how often they were fetched',
  Enabled: 'an app',
  Expired: 'a user',
  Expires: 'verb: a session or a license',
  Export: 'button',
  Extend: 'button',
  Import: 'the screen, and the button that opens or starts it',
  Level: 'noun: of a subscription',
  Light: 'the theme',
  Logs: 'noun: the screen',
  Name: 'noun',
  None: 'names, apps, events or levels: nothing is there',
  'Not set': 'a machine or an address',
  Off: 'a setting or a part of the platform',
  Order: 'noun: of plans among each other',
  pause: 'the word that is typed to confirm it',
  Pause: 'button',
  Paused: 'a user',
  Plan: 'noun',
  Redeemed: 'a license',
  Refresh: 'button',
  Rejected: 'a call',
  Reload: 'button',
  Request: 'noun: before its number',
  Required: 'authentication',
  Review: 'button',
  Search: 'the field that one types into',
  'Signed in': 'who may read a variable: signed-in users',
  'Signed out': 'event',
  Target: 'noun: what an action was about',
  Time: 'noun: of the day',
  Type: 'noun: kind of alert',
  Unknown: 'a status, a country or an actor',
  Unlimited: 'a plan or a limit of it',
  Unused: 'a license',
  Used: 'a license',
  Lifetime: 'a license or a subscription, without an end',
}

interface Entry {
  id: string
  hasContext: boolean
  places: number
}

/** The first lines of the entries of a catalog: no text checked here is longer than one line. */
function entries(po: string): Entry[] {
  return po
    .split(/\n\n+/)
    .filter((block) => !/^#~/m.test(block))
    .map((block) => ({
      id: /^msgid "(.*)"$/m.exec(block)?.[1] ?? '',
      hasContext: /^msgctxt "/m.test(block),
      places: (block.match(/^#: /gm) ?? []).length,
    }))
}

/** Ambiguous texts of the English catalog without a context and without an entry in `meanings`. */
export function contextProblems(po: string, meanings: Readonly<Record<string, string>> = shared): string[] {
  const unclear = entries(po).filter(
    ({ id, hasContext, places }) => places > 1 && !hasContext && ambiguous.has(id.toLowerCase()),
  )
  const ids = new Set(unclear.map(({ id }) => id))
  return [
    ...unclear
      .filter(({ id }) => !(id in meanings))
      .map(
        ({ id, places }) =>
          `"${id}" stands in ${places} places: give each meaning its context, t({ message, context }), or say the one meaning in tools/text-contexts.ts`,
      ),
    ...Object.keys(meanings)
      .filter((id) => !ids.has(id))
      .map((id) => `"${id}" needs no entry in tools/text-contexts.ts any more`),
  ]
}
