import { paths } from './paths.ts'
import { createPrompt } from './prompt.ts'
import { readStored, writeStored } from './stored.ts'

/** Why somebody who was signed in has to sign in again; the last two happened in another tab. */
export type SessionEnd = 'ended' | 'signed-out' | 'somebody-else'

/** Calls wait for it and then go on: what is open and filled in stays. */
export const signInPrompt = createPrompt<SessionEnd>()

const storageKey = 'signed-in'

let accountHere: string | undefined

/** Tells this browser's other tabs who is signed in. A second part makes the same account news again. */
export function recordSignIn(accountId: string) {
  accountHere = accountId
  writeStored(storageKey, `${accountId} ${crypto.randomUUID()}`)
}

/** The same for a session that goes on; there is nothing new to tell. */
export function recordSession(accountId: string) {
  if (storedAccount() === accountId) accountHere = accountId
  else recordSignIn(accountId)
}

export function recordSignOut() {
  accountHere = undefined
  writeStored(storageKey, undefined)
}

const accountIn = (stored: string | null | undefined) => stored?.split(' ')[0]
const storedAccount = () => accountIn(readStored(storageKey))

/** Nobody signed out, so a session that isn't there has ended by itself. */
export const hasSessionEnded = () => storedAccount() !== undefined

/** Resolves with whether somebody signed in again. Where nobody was, there is nothing to go on with. */
export const signInAgain = async (): Promise<boolean> => accountHere !== undefined && (await signInPrompt.ask('ended'))

/** Follows what other tabs do with the session; `isStillThere` asks the server. */
export function followOtherTabs(isStillThere: (accountId: string) => Promise<boolean>): () => void {
  const onStorage = async ({ key, newValue }: StorageEvent) => {
    // Without a key everything was cleared, as signing out does.
    if ((key !== null && key !== `signet.${storageKey}`) || accountHere === undefined) return
    const account = accountIn(newValue)
    if (account !== accountHere) void signInPrompt.ask(account === undefined ? 'signed-out' : 'somebody-else')
    else if (signInPrompt.question.get() && (await isStillThere(account))) signInPrompt.answer(true)
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
