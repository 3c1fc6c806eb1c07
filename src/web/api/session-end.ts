import { newId } from '../browser/new-id.ts'
import { paths } from '../navigation/paths.ts'
import { createPrompt } from '../browser/prompt.ts'
import { readStored, writeStored } from '../browser/stored.ts'

/** Why somebody who was signed in has to sign in again; the last two happened in another tab. */
export type SessionEnd = 'ended' | 'signed-out' | 'somebody-else'

/** Calls wait for it and then go on: what is open and filled in stays. */
export const signInPrompt = createPrompt<SessionEnd>()

/** An owner's session and a reseller's in one browser don't know of each other (R-SES-02). */
const storageKeys = { account: 'signed-in', reseller: 'signed-in-reseller' }

interface SignedIn {
  id: string
  role: string
}

let accountHere: SignedIn | undefined

const keyOf = ({ role }: SignedIn) => (role === 'reseller' ? storageKeys.reseller : storageKeys.account)

/** Tells this browser's other tabs who is signed in. A second part makes the same account news again. */
export function recordSignIn(account: SignedIn) {
  accountHere = account
  writeStored(keyOf(account), `${account.id} ${newId()}`)
}

/** The same for a session that goes on; there is nothing new to tell. */
export function recordSession(account: SignedIn) {
  if (accountIn(readStored(keyOf(account))) === account.id) accountHere = account
  else recordSignIn(account)
}

export function recordSignOut() {
  if (accountHere) writeStored(keyOf(accountHere), undefined)
  accountHere = undefined
}

const accountIn = (stored: string | null | undefined) => stored?.split(' ')[0]

/** Nobody signed out, so a session that isn't there has ended by itself. */
export const hasSessionEnded = () => Object.values(storageKeys).some((key) => readStored(key) !== undefined)

/** Resolves with whether somebody signed in again. Where nobody was, there is nothing to go on with. */
export const signInAgain = async (): Promise<boolean> => accountHere !== undefined && (await signInPrompt.ask('ended'))

/** Follows what other tabs do with the session; `isStillThere` asks the server. */
export function followOtherTabs(isStillThere: (accountId: string) => Promise<boolean>): () => void {
  const onStorage = async ({ key, newValue }: StorageEvent) => {
    const here = accountHere
    // Without a key everything was cleared, as signing out does.
    if (here === undefined || (key !== null && key !== `signet.${keyOf(here)}`)) return
    const account = accountIn(newValue)
    if (account === here.id) {
      if (signInPrompt.question.get() && (await isStillThere(account))) signInPrompt.answer(true)
    } else if (account !== undefined) void signInPrompt.ask('somebody-else')
    // What was cleared may be of the other session of this browser.
    else if (await isStillThere(here.id)) recordSession(here)
    else void signInPrompt.ask('signed-out')
  }
  const listener = (event: StorageEvent) => void onStorage(event)
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

/** A full load: nothing of the session stays in memory. Where it began is where signing in leads back to. */
export function leaveToLogin() {
  const isOtherAccount = signInPrompt.question.get() === 'somebody-else'
  const next = location.pathname + location.search
  const search = new URLSearchParams({ next, reason: 'ended' })
  location.assign(isOtherAccount ? paths.home() : `${paths.login()}?${search}`)
}
