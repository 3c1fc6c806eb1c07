import { hasInvisible } from '#contract/visible-text.ts'

export interface MailText {
  subject: string
  /** Before the link, if there is one. */
  lines: readonly string[]
  link?: string
  /** After it. */
  closing?: readonly string[]
}

/** What every mail may say of where it comes from: the server, or the brand that a reseller has on it. */
export interface MailPlatform {
  name: string
  url: string
}

/** Names are chosen by people: one that a mail program would turn into a link is left out. */
export const called = (name: string): string =>
  /^[\p{L}\p{M}\p{N}_ -]{1,64}$/u.test(name) && !hasInvisible(name) ? name : ''

/** No value ends a header or hides in one. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
