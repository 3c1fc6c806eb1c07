import { sellerContract, type Operation } from './documents.ts'

/** Pages of the seller API: operations that need permissions for the same subject stand together. */

interface Group {
  /** Name of the page's file. */
  slug: string
  title: string
  description: string
  /** First parts of permissions, or of paths. */
  subjects: readonly string[]
}

const groups: readonly Group[] = [
  group('licenses', 'Licenses', 'Create, read, edit, ban, extend, and delete licenses.', ['licenses']),
  group('users', 'Users', 'Create, read, edit, ban, pause, extend, and delete users.', ['users']),
  group('variables', 'Variables', 'Read and set the variables of the app and of its users.', [
    'app-variables',
    'variables',
  ]),
  group('subscriptions', 'Subscription levels', 'Read, create, edit, and delete what the app sells.', [
    'subscriptions',
  ]),
  group('settings', 'Settings', 'Read and change the settings of the app.', ['settings']),
  group('files', 'Files', 'Upload, read, edit, disable, and delete files.', ['downloads']),
  group('sessions', 'Program sessions', 'Read and end the sessions of programs.', ['sessions']),
  group('webhook-events', 'Webhook events', 'Receive the webhook events of the app without a webhook.', ['webhooks']),
  group('logs', 'Log', 'Read and follow the log of the app.', ['logs']),
]
/** Of the permission `stats`, and of operations that need none. */
const others = group('totals', 'Totals and the key', 'Read totals of the app, and what a key may do.', [])

function group(slug: string, title: string, description: string, subjects: readonly string[]): Group {
  return { slug, title, description, subjects }
}

export interface FilledGroup extends Group {
  operations: Operation[]
}

export function grouped(operations: readonly Operation[]): FilledGroup[] {
  const groupOf = ({ id, path }: Operation): Group => {
    const has = (subject: string | undefined) => groups.find(({ subjects }) => subjects.includes(subject ?? ''))
    const ofPath = has(path.split('/')[4])
    // Listeners to webhook events need the permission of the log.
    return ofPath?.slug === 'webhook-events' ? ofPath : (has(sellerContract[id]?.scope?.split(':')[0]) ?? others)
  }
  return [...groups, others]
    .map((each) => ({ ...each, operations: operations.filter((operation) => groupOf(operation) === each) }))
    .filter((each) => each.operations.length > 0)
}

/** Titles that the name of an operation doesn't say well. */
const titles: Record<string, string> = {
  addTimeLicense: 'Add time to a license',
  subtractUser: 'Subtract time from a user',
  extendUser: 'Extend a user',
  resetUserHwid: 'Reset the hardware ID of a user',
  listVariables: 'List variables of a user',
  getVariable: 'Get a variable of a user',
  setVariable: 'Set a variable of a user',
  deleteVariable: 'Delete a variable of a user',
  listAppVariables: 'List variables of the app',
  getAppVariable: 'Get a variable of the app',
  setAppVariable: 'Set a variable of the app',
  deleteAppVariable: 'Delete a variable of the app',
  addUserSubscription: 'Add a subscription to a user',
  deleteUserSessions: 'End all sessions of a user',
  deleteSession: 'End a session',
  getSettings: 'Get the settings',
  updateSettings: 'Update the settings',
  listLogs: 'List the log',
  followLogs: 'Follow the log',
  listDownloads: 'List files',
  stats: 'Get totals',
  me: 'Get the key',
}

/** `Create a user` of `createUser`. */
export function titleOf({ id }: Operation): string {
  const own = titles[id]
  if (own) return own
  const words = id.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('download', 'file')
  const [verb = '', ...rest] = words.split(' ')
  const isOne = rest.length > 0 && !words.endsWith('s')
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)}${isOne ? ' a' : ''}${rest.map((word) => ` ${word}`).join('')}`
}
