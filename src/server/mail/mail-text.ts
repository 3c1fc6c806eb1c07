import { hasInvisible } from '#contract/visible-text.ts'

export interface MailText {
  subject: string
  /** Text before the link, if there is one. */
  lines: readonly string[]
  link?: string
  /** Text after the link. */
  closing?: readonly string[]
}

/** The sender named in an email: the server, or the brand of a reseller. */
export interface MailPlatform {
  name: string
  url: string
}

/** Names are user input: a name that a mail program would turn into a link is left out. */
export const nameInMail = (name: string): string =>
  /^[\p{L}\p{M}\p{N}_ -]{1,64}$/u.test(name) && !hasInvisible(name) ? name : ''

/** Prevents a value from ending a header or hiding in one. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
