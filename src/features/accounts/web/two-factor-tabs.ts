import { useEffect, useEffectEvent } from 'react'
import { knownAccount } from '#web/session/session.ts'

/** A new secret was shown, or one was confirmed. */
export type SetupNews = 'started' | 'on'

interface Message {
  account: string
  news: SetupNews
}

/** The browser's other tabs. A browser without it learns from the server, when a code is entered. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('signet.two-factor-setup')

const accountId = () => knownAccount()?.id ?? ''

/** Tells the other tabs, whose secret is no longer valid. */
export const tellOtherTabs = (news: SetupNews) => channel?.postMessage({ account: accountId(), news } satisfies Message)

/** Calls when another tab goes on with the setup of the same account. */
export function useOtherTabs(onNews: (news: SetupNews) => void): void {
  const hear = useEffectEvent(({ data: { account, news } }: MessageEvent<Message>) => {
    if (account === accountId()) onNews(news)
  })
  useEffect(() => {
    channel?.addEventListener('message', hear)
    return () => channel?.removeEventListener('message', hear)
  }, [])
}
