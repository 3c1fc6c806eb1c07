import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { CallFailed } from '#web/api/call-failed.ts'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'
import { discardGone, draftKeys, formDraft } from '#web/form/form-drafts.ts'
import { type User, userUndo } from './users-data.ts'

type Part = ['subscription', level: number] | ['variable', name: string] | ['new-subscription'] | ['new-variable']

const formKey = (username: string, part: Part) => ['user', userUndo().appId, username, ...part] as const

/** What is typed in a form of the panel of a user. */
export const userDraft = <B extends object>(username: string, ...part: Part) => formDraft<B>(...formKey(username, part))

/**
 * Forgets what was typed for users, subscriptions, and variables that are deleted by now, and says so: otherwise the
 * browser would ask about it before every reload. Checked as users and their variables change.
 */
export const useDraftsOfExisting = () =>
  useQuery({ queryKey: appKey('users', 'one', { of: 'drafts' }), queryFn: ({ signal }) => forgetGone(signal) })

async function forgetGone(signal: AbortSignal): Promise<null> {
  const { appId } = userUndo()
  const drafts = Map.groupBy(draftKeys('user', appId), ([, , username]) => String(username))
  for (const [username, keys] of drafts) {
    const user = await existing(username, signal)
    const gone = user ? keys.filter((key) => !hasPart(user, key)) : keys
    if (gone.length === 0) continue
    discardGone(gone, user ? gone.map(partName).join(', ') : username)
  }
  return null
}

async function existing(username: string, signal: AbortSignal): Promise<User | undefined> {
  try {
    return (await call('GET /user/{username}', { params: { username }, query: {}, signal })).user
  } catch (error) {
    if (error instanceof CallFailed && error.status === 404) return undefined
    throw error
  }
}

const partName = ([, , , part, name]: readonly unknown[]): string => {
  const level = Number(name)
  return part === 'subscription' ? t`Level ${level}` : String(name)
}

function hasPart({ subscriptions, variables }: User, [, , , part, name]: readonly unknown[]): boolean {
  if (part === 'subscription') return Object.hasOwn(subscriptions, String(name))
  if (part === 'variable') return Object.hasOwn(variables, String(name))
  return true
}
