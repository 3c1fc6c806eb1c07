import { newId } from '../browser/new-id.ts'
import { createPrompt } from '../browser/prompt.ts'
import { readStored, writeStored } from '../browser/stored.ts'

/** Why a signed-in user has to sign in again; the last two happened in another tab. */
export type SessionEnd = 'ended' | 'signed-out' | 'somebody-else'

/** Calls wait and continue after signing in again: open dialogs and entered text stay. */
export const signInPrompt = createPrompt<SessionEnd>()

/** Asked before signing out, which would lose what a page has not saved. Each resolves with whether to go on. */
export const leaveQuestions = new Set<() => Promise<boolean>>()

/** The owner session and the reseller session of a browser are independent. */
const storageKeys = { account: 'signed-in', reseller: 'signed-in-reseller' }

interface SignedIn {
  id: string
  role: string
}

let accountHere: SignedIn | undefined

const keyOf = ({ role }: SignedIn) => (role === 'reseller' ? storageKeys.reseller : storageKeys.account)

/** As far as this page knows. */
export const isSignedIn = (): boolean => accountHere !== undefined

/** Tells the other tabs of this browser who is signed in. The second part makes a repeated value count as a change. */
export function recordSignIn(account: SignedIn) {
  accountHere = account
  writeStored(keyOf(account), `${account.id} ${newId()}`)
}

/** The same for a session that continues, without notifying other tabs. */
export function recordSession(account: SignedIn) {
  if (accountIn(readStored(keyOf(account))) === account.id) accountHere = account
  else recordSignIn(account)
}

export function recordSignOut() {
  if (accountHere) writeStored(keyOf(accountHere), undefined)
  accountHere = undefined
  // Other calls may have heard of it first and asked.
  signInPrompt.answer(false)
}

const accountIn = (stored: string | null | undefined) => stored?.split(' ')[0]

/** No one signed out here, so a missing session has expired or been ended. */
export const hasSessionEnded = () => Object.values(storageKeys).some((key) => readStored(key) !== undefined)

/** Resolves with whether the user signed in again. Without a signed-in user, there is nothing to continue. */
export const signInAgain = async (end: SessionEnd = 'ended'): Promise<boolean> =>
  isSignedIn() && (await signInPrompt.ask(end))

/** Reacts to session changes in other tabs; `isStillThere` asks the server. */
export function followOtherTabs(isStillThere: (accountId: string) => Promise<boolean>): () => void {
  const onStorage = async ({ key, newValue }: StorageEvent) => {
    const here = accountHere
    // Without a key, the whole storage was cleared, as signing out does.
    if (here === undefined || (key !== null && key !== `signet.${keyOf(here)}`)) return
    const account = accountIn(newValue)
    if (account === here.id) {
      if (signInPrompt.question.get() && (await isStillThere(account))) signInPrompt.answer(true)
    } else if (account !== undefined) signInPrompt.question.set('somebody-else')
    // The storage may have been cleared by the other session of this browser.
    else if (await isStillThere(here.id)) recordSession(here)
    // It is also cleared for the tab that ends its own session.
    else if (accountHere?.id === here.id) void signInPrompt.ask('signed-out')
  }
  const listener = (event: StorageEvent) => void onStorage(event)
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

/** Pages of forms that closed before their call was answered, the last one last. */
const unansweredForms: string[] = []

/** While `send` is not answered, a sign-in leads back to the form at `href`. */
export async function returningTo<Reply>(href: string, send: () => Promise<Reply>): Promise<Reply> {
  unansweredForms.push(href)
  try {
    return await send()
  } finally {
    unansweredForms.splice(unansweredForms.indexOf(href), 1)
  }
}

/** The page to return to after signing in. */
export const returnAddress = (): string => unansweredForms.at(-1) ?? location.pathname + location.search
